// What an expression of one input is about: four elements, and the first one's number.
@if(one) struct Items {
    x: Pack,
    number: Number,
}

@if(one) fn item_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.base;
}

// The four from a position on, where they can be loaded at a time.
@if(one) fn items_at(job: Params, at: u32) -> Items {
    return Items(pack_load(item_index(job, at)), number_at(job, at));
}

@if(one) fn items_copy(items: Items) -> Items {
    return Items(pack_copy(items.x), items.number);
}

@if(one) fn items_x(items: Items) -> Quad {
    return quad_unpack(items.x);
}

// There is none, and nothing looks at it.
@if(one) fn items_y(items: Items) -> Quad {
    return quad_unpack(items.x);
}

// The element at a position of the launch, or any.
@if(one) fn x_within(job: Params, at: u32) -> Elem {
    var elem = Elem();
    if (job.begin <= at) & (at < job.end) {
        elem = elem_load(item_index(job, at));
    }
    return elem;
}

@if(one) fn y_quad_within(job: Params, at: u32) -> Quad {
    return Quad(Elem(), Elem(), Elem(), Elem());
}

// What an expression of two inputs is about: four elements of each, and the first one's number.
@if(two) struct Items {
    x: Pack,
    y: Pack,
    number: Number,
}

@if(two) fn left_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.base;
}

@if(two) fn right_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.right_base;
}

// The four from a position on.
@if(two) fn items_at(job: Params, at: u32) -> Items {
    return Items(
        left_pack(left_index(job, at)),
        right_pack(right_index(job, at)),
        number_at(job, at),
    );
}

@if(two) fn items_copy(items: Items) -> Items {
    return Items(pack_copy(items.x), pack_copy(items.y), items.number);
}

@if(two) fn items_x(items: Items) -> Quad {
    return quad_unpack(items.x);
}

@if(two) fn items_y(items: Items) -> Quad {
    return quad_unpack(items.y);
}

// The elements at a position of the launch, or any.
@if(two) fn x_within(job: Params, at: u32) -> Elem {
    var elem = Elem();
    if (job.begin <= at) & (at < job.end) {
        elem = left_elem(left_index(job, at));
    }
    return elem;
}

@if(two) fn y_within(job: Params, at: u32) -> Elem {
    var elem = Elem();
    if (job.begin <= at) & (at < job.end) {
        elem = right_elem(right_index(job, at));
    }
    return elem;
}

@if(two) fn y_quad_within(job: Params, at: u32) -> Quad {
    return Quad(
        y_within(job, at),
        y_within(job, at + 1u),
        y_within(job, at + 2u),
        y_within(job, at + 3u),
    );
}

// What an expression of three inputs is about: four elements of each, and the first one's number.
@if(three) struct Items {
    x: Pack,
    y: Pack,
    z: Pack,
    number: Number,
}

// What stands beside the elements of the first input, where there are two inputs those of the other one.
@if(three) struct Others {
    y: Quad,
    z: Quad,
}

@if(three) fn left_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.base;
}

@if(three) fn right_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.right_base;
}

// Where inputs are strided, `third_byte_of` adds `third_base`.
@if(three) fn third_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + select(job.third_base, 0u, SHIFT == STRIDED);
}

// The four from a position on.
@if(three) fn items_at(job: Params, at: u32) -> Items {
    return Items(
        left_pack(left_index(job, at)),
        right_pack(right_index(job, at)),
        third_pack(third_index(job, at)),
        number_at(job, at),
    );
}

@if(three) fn items_copy(items: Items) -> Items {
    return Items(pack_copy(items.x), pack_copy(items.y), pack_copy(items.z), items.number);
}

@if(three) fn items_x(items: Items) -> Quad {
    return quad_unpack(items.x);
}

@if(three) fn items_y(items: Items) -> Others {
    return Others(quad_unpack(items.y), quad_unpack(items.z));
}

// The elements at a position of the launch, or any.
@if(three) fn x_within(job: Params, at: u32) -> Elem {
    var elem = Elem();
    if (job.begin <= at) & (at < job.end) {
        elem = left_elem(left_index(job, at));
    }
    return elem;
}

@if(three) fn y_within(job: Params, at: u32) -> Elem {
    var elem = Elem();
    if (job.begin <= at) & (at < job.end) {
        elem = right_elem(right_index(job, at));
    }
    return elem;
}

@if(three) fn z_within(job: Params, at: u32) -> Elem {
    var elem = Elem();
    if (job.begin <= at) & (at < job.end) {
        elem = third_elem(third_index(job, at));
    }
    return elem;
}

@if(three) fn y_quad_within(job: Params, at: u32) -> Others {
    return Others(
        Quad(
            y_within(job, at),
            y_within(job, at + 1u),
            y_within(job, at + 2u),
            y_within(job, at + 3u),
        ),
        Quad(
            z_within(job, at),
            z_within(job, at + 1u),
            z_within(job, at + 2u),
            z_within(job, at + 3u),
        ),
    );
}
