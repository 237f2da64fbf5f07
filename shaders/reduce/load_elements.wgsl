// How an operator finds what it lifts: its elements.
alias Items = Pack;

fn item_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.base;
}

// The four from a position on, where they can be loaded at a time.
fn items_at(job: Params, at: u32) -> Items {
    return pack_load(item_index(job, at));
}

fn items_copy(items: Items) -> Items {
    return pack_copy(items);
}

fn items_lift(items: Items) -> Acc4 {
    let elems = elems_counted(items);
    return Acc4(op_lift(elems.x), op_lift(elems.y), op_lift(elems.z), op_lift(elems.w));
}

// Of elements whose numbers matter, those from a position on.
fn items_lift_at(job: Params, at: u32, items: Items) -> Acc4 {
    return items_lift(items);
}

// The same of any elements.
fn items_lift_any(items: Items, nothing: u32) -> Acc4 {
    return items_lift(items);
}

fn range_include_items(range: Range, items: Items) -> Range {
    return range_include_elems(range, elems_counted(items));
}

// The element at a position, which is there.
fn item_there(job: Params, at: u32) -> Acc {
    return op_lift(elem_counted(elem_load(item_index(job, at))));
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
        return items_lift(items_at(job, at));
    }
    return Acc4(
        item_load(job, at),
        item_load(job, at + 1u),
        item_load(job, at + 2u),
        item_load(job, at + 3u),
    );
}
