// What an expression of one input is about: four elements, and the first one's number.
struct Items {
    x: Pack,
    number: Number,
}

fn item_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.base;
}

// The four from a position on, where they can be loaded at a time.
fn items_at(job: Params, at: u32) -> Items {
    return Items(pack_load(item_index(job, at)), number_at(job, at));
}

fn items_copy(items: Items) -> Items {
    return Items(pack_copy(items.x), items.number);
}

fn items_x(items: Items) -> Quad {
    return quad_unpack(items.x);
}

// There is none, and nothing looks at it.
fn items_y(items: Items) -> Quad {
    return quad_unpack(items.x);
}

// The element at a position of the launch, or any.
fn x_within(job: Params, at: u32) -> Elem {
    var elem = Elem();
    if (job.begin <= at) & (at < job.end) {
        elem = elem_load(item_index(job, at));
    }
    return elem;
}

fn y_quad_within(job: Params, at: u32) -> Quad {
    return Quad(Elem(), Elem(), Elem(), Elem());
}
