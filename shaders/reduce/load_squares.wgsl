// How an operator finds what it lifts: its elements, of which it takes the squares.
alias Items = Pack;

// The four from a position on, where they can be loaded at a time.
fn items_at(job: Params, at: u32) -> Items {
    return pack_load(INDEX_STEP * at + job.base);
}

// A Quad may be a struct, which is copied member by member, too.
fn items_copy(items: Items) -> Items {
    return pack_copy(items);
}

fn items_lift(items: Items) -> Acc4 {
    let elems = quad_unpack(items);
    return Acc4(
        product(elems.x, elems.x),
        product(elems.y, elems.y),
        product(elems.z, elems.z),
        product(elems.w, elems.w),
    );
}

// The same of any elements.
fn items_lift_any(items: Items, nothing: u32) -> Acc4 {
    let elems = quad_unpack(items);
    return products_of_any(elems, elems, nothing);
}

// The elements from a position on.
fn items_lift_at(job: Params, at: u32, items: Items) -> Acc4 {
    return items_lift(items);
}

fn range_include_items(range: Range, items: Items) -> Range {
    return range_include_elems(range, quad_unpack(items));
}

fn factors_at(job: Params, at: u32) -> Factors {
    let elems = quad_unpack(items_at(job, at));
    return Factors(elems, elems);
}

fn factor_load(job: Params, at: u32) -> Factor {
    let item = elem_load(INDEX_STEP * at + job.base);
    return Factor(item, item);
}
