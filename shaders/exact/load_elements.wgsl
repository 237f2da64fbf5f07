// What exact sums add up: elements.

// One of the four vectors; zeros for what is not there.
fn vector_load(place: Place, row: u32) -> Quad {
    let at = place.first + row * ROW_ITEMS;
    if place.is_whole {
        return quad_unpack(pack_load(INDEX_STEP * at + params.base));
    }
    return load4_within(at, place.begin, place.end);
}

fn load4_within(at: u32, begin: u32, end: u32) -> Quad {
    return Quad(
        load_within(at, begin, end),
        load_within(at + 1u, begin, end),
        load_within(at + 2u, begin, end),
        load_within(at + 3u, begin, end),
    );
}

fn load_within(at: u32, begin: u32, end: u32) -> Elem {
    // Zero, unless it is there.
    var element: Elem;
    if (begin <= at) & (at < end) {
        element = elem_load(INDEX_STEP * at + params.base);
    }
    return element;
}
