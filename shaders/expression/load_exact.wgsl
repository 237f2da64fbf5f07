// What exact sums add up: what an expression makes of elements. As exact/load_elements.wgsl.

fn items_map(items: Items) -> Quad {
    return quads_map(items_x(items), items_y(items), number_index(items.number), nothing_of(params)).elems;
}

// One of the four vectors; zeros for what is not there.
fn vector_load(place: Place, row: u32) -> Quad {
    let at = place.first + row * ROW_ITEMS;
    if place.is_whole {
        return items_map(items_at(params, at));
    }
    let x = Quad(
        x_within(params, at),
        x_within(params, at + 1u),
        x_within(params, at + 2u),
        x_within(params, at + 3u),
    );
    let y = y_quad_within(params, at);
    let made = quads_map(x, y, number_index(number_at(params, at)), nothing_of(params)).elems;
    return Quad(
        made_within(place, at, made.x),
        made_within(place, at + 1u, made.y),
        made_within(place, at + 2u, made.z),
        made_within(place, at + 3u, made.w),
    );
}

// What is made of an element that is there, or zero.
fn made_within(place: Place, at: u32, made: Elem) -> Elem {
    var element: Elem;
    if (place.begin <= at) & (at < place.end) {
        element = made;
    }
    return element;
}
