// What an expression of two inputs is about: four elements of each, and the first one's number.
struct Items {
    x: Pack,
    y: Pack,
    number: Number,
}

fn left_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.base;
}

fn right_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.right_base;
}

// The four from a position on.
fn items_at(job: Params, at: u32) -> Items {
    return Items(
        left_pack(left_index(job, at)),
        right_pack(right_index(job, at)),
        number_at(job, at),
    );
}

fn items_copy(items: Items) -> Items {
    return Items(pack_copy(items.x), pack_copy(items.y), items.number);
}

fn items_x(items: Items) -> Quad {
    return quad_unpack(items.x);
}

fn items_y(items: Items) -> Quad {
    return quad_unpack(items.y);
}

// The elements at a position of the launch, or any.
fn x_within(job: Params, at: u32) -> Elem {
    var elem = Elem();
    if (job.begin <= at) & (at < job.end) {
        elem = left_elem(left_index(job, at));
    }
    return elem;
}

fn y_within(job: Params, at: u32) -> Elem {
    var elem = Elem();
    if (job.begin <= at) & (at < job.end) {
        elem = right_elem(right_index(job, at));
    }
    return elem;
}

fn y_quad_within(job: Params, at: u32) -> Quad {
    return Quad(
        y_within(job, at),
        y_within(job, at + 1u),
        y_within(job, at + 2u),
        y_within(job, at + 3u),
    );
}
