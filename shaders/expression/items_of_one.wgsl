// What an expression of one input is about: four elements, and the first one's place in the sequence.
struct Items {
    x: Pack,
    index: u32,
}

fn item_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.base;
}

// The four from a position on, where they can be loaded at a time.
fn items_at(job: Params, at: u32) -> Items {
    return Items(pack_load(item_index(job, at)), index_of(job, at));
}

// The same, of which the launch may have some.
fn items_within(job: Params, at: u32) -> Items {
    return Items(
        Pack(
            x_within(job, at),
            x_within(job, at + 1u),
            x_within(job, at + 2u),
            x_within(job, at + 3u),
        ),
        index_of(job, at),
    );
}

fn x_within(job: Params, at: u32) -> Elem {
    var elem = elem_from_word(0u);
    if job.begin <= at && at < job.end {
        elem = elem_load(item_index(job, at));
    }
    return elem;
}

fn items_copy(items: Items) -> Items {
    return Items(pack_copy(items.x), items.index);
}

fn items_x(items: Items) -> Quad {
    return quad_unpack(items.x);
}

fn items_y(items: Items) -> Quad {
    return quad_unpack(items.x);
}
