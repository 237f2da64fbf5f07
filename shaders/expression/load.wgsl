// How an operator finds what it lifts: what an expression makes of elements.

@if(mapped) fn quad_lift(mapped: Mapped4, number: Number) -> Acc4 {
    return Acc4(
        mapped_lift(mapped.elems.x, number, 0u, mapped.are_kept.x),
        mapped_lift(mapped.elems.y, number, 1u, mapped.are_kept.y),
        mapped_lift(mapped.elems.z, number, 2u, mapped.are_kept.z),
        mapped_lift(mapped.elems.w, number, 3u, mapped.are_kept.w),
    );
}

// Where tiles are made again whose range is not safe, what the device makes will do: `range_include_items` notes what it may get wrong.
@if(mapped) fn items_lift(items: Items) -> Acc4 {
    if CHECKS_RANGE {
        return quad_lift(items_map_quick(items), items.number);
    }
    return items_lift_any(items, nothing_of(params));
}

// The same of any elements.
@if(mapped) fn items_lift_any(items: Items, nothing: u32) -> Acc4 {
    let index = number_index(items.number);
    return quad_lift(quads_map(items_x(items), items_y(items), index, nothing), items.number);
}

@if(mapped) fn items_map_quick(items: Items) -> Mapped4 {
    return quads_map_quick(items_x(items), items_y(items), number_index(items.number));
}

// What may be wrong counts as what no range is safe with. So do the elements beside it: a NaN among them could be wrong, and hide it.
@if(mapped) fn range_include_items(range: Range, items: Items) -> Range {
    if !CHECKS_RANGE {
        return range;
    }
    let quick = items_map_quick(items);
    // Lazy: this takes the operands once more.
    if !all(quick.are_right) && !quads_are_right(items_x(items), items_y(items), number_index(items.number)) {
        let unsafe_elem = elem_from_bits(BITS_OF_NO_RANGE);
        return range_include_elems(range, Quad(unsafe_elem, unsafe_elem, unsafe_elem, unsafe_elem));
    }
    return range_include_elems(range, quick.elems);
}

// Four elements in a row, of which the launch may have some. One that is missing is the identity.
@if(mapped) fn items_load4(job: Params, at: u32) -> Acc4 {
    if (job.begin <= at) & (at + 4u <= min(job.end, job.vec_end)) {
        return items_lift_any(items_at(job, at), nothing_of(params));
    }
    let x = Quad(
        x_within(job, at),
        x_within(job, at + 1u),
        x_within(job, at + 2u),
        x_within(job, at + 3u),
    );
    let y = y_quad_within(job, at);
    let number = number_at(job, at);
    let accs = quad_lift(quads_map(x, y, number_index(number), nothing_of(params)), number);
    return Acc4(
        acc_within(job, at, accs.x),
        acc_within(job, at + 1u, accs.y),
        acc_within(job, at + 2u, accs.z),
        acc_within(job, at + 3u, accs.w),
    );
}

@if(mapped) fn acc_within(job: Params, at: u32, acc: Acc) -> Acc {
    return acc_select(op_identity(), acc, (job.begin <= at) & (at < job.end));
}

// What exact sums add up: what an expression makes of elements. As exact/load_elements.wgsl.

@if(exact) fn items_map(items: Items) -> Quad {
    return quads_map(items_x(items), items_y(items), number_index(items.number), nothing_of(params)).elems;
}

// One of the four vectors; zeros for what is not there.
@if(exact) fn vector_load(place: Place, row: u32) -> Quad {
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
@if(exact) fn made_within(place: Place, at: u32, made: Elem) -> Elem {
    var element: Elem;
    if (place.begin <= at) & (at < place.end) {
        element = made;
    }
    return element;
}

// Elements of several components, of which an expression makes a number. What is loaded of an element is the word that it begins at; the expression
// loads the components that it looks at.

// From an element to the next one: an index is that of a word.
@if(components) const INDEX_STEP = COMPONENTS;

@if(components) fn elem_load(index: u32) -> Elem {
    if is_strided() {
        return elem_from_word(byte_of(index / COMPONENTS) >> 2u);
    }
    return elem_from_word(index);
}

@if(components) fn pack_load(index: u32) -> Pack {
    return Pack(
        elem_load(index),
        elem_load(index + COMPONENTS),
        elem_load(index + 2u * COMPONENTS),
        elem_load(index + 3u * COMPONENTS),
    );
}

// A component of the element that begins at a word.
@if(components) fn x_component(word: u32, component: u32) -> u32 {
    return word_load(word + component);
}
