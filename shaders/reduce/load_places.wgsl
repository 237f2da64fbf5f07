// How an operator that is told elements' numbers finds what it lifts.
alias Items = Pack;

// The number of an element in the whole sequence, the low word first, by its position in the launch.
fn number_of(job: Params, at: u32) -> vec2<u32> {
    let first_block = origin_block_of(job);
    let low = first_block << job.log2_block_items;
    let high = first_block >> (32u - job.log2_block_items);
    let number = low + at;
    return vec2<u32>(number, high + select(0u, 1u, number < low));
}

// The four from a position on, where they can be loaded at a time.
fn items_at(job: Params, at: u32) -> Items {
    return pack_load(INDEX_STEP * at + job.base);
}

fn items_copy(items: Items) -> Items {
    return pack_copy(items);
}

// The elements from a position on.
fn items_lift_at(job: Params, at: u32, items: Items) -> Acc4 {
    let elems = quad_unpack(items);
    return Acc4(
        op_lift_at(elems.x, number_of(job, at)),
        op_lift_at(elems.y, number_of(job, at + 1u)),
        op_lift_at(elems.z, number_of(job, at + 2u)),
        op_lift_at(elems.w, number_of(job, at + 3u)),
    );
}

// Of places all ranges are safe.
fn range_include_items(range: Range, items: Items) -> Range {
    return range;
}

// The element at a position, which is there.
fn item_there(job: Params, at: u32) -> Acc {
    return op_lift_at(elem_load(INDEX_STEP * at + job.base), number_of(job, at));
}

// The element at a position of the launch, or the identity.
fn item_load(job: Params, at: u32) -> Acc {
    var acc = op_identity();
    if (job.begin <= at) & (at < job.end) {
        acc = item_there(job, at);
    }
    return acc;
}

// Four elements in a row, of which the launch may have some.
fn items_load4(job: Params, at: u32) -> Acc4 {
    if (job.begin <= at) & (at + 4u <= min(job.end, job.vec_end)) {
        return items_lift_at(job, at, items_at(job, at));
    }
    return Acc4(
        item_load(job, at),
        item_load(job, at + 1u),
        item_load(job, at + 2u),
        item_load(job, at + 3u),
    );
}
