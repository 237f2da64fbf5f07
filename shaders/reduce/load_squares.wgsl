// How an operator finds what it lifts: its elements, of which it takes the squares.
alias Items = Quad;

// The four from a position on, where they can be loaded at a time.
fn items_at(job: Params, at: u32) -> Items {
    return quad_load(at + job.base);
}

fn items_copy(items: Items) -> Items {
    return items;
}

fn items_lift(items: Items) -> Acc4 {
    return Acc4(
        product(items.x, items.x),
        product(items.y, items.y),
        product(items.z, items.z),
        product(items.w, items.w),
    );
}

// The same of any elements.
fn items_lift_any(items: Items, nothing: u32) -> Acc4 {
    return products_of_any(items, items, nothing);
}

fn range_include_items(range: Range, items: Items) -> Range {
    return range_include_elems(range, items);
}

fn factors_at(job: Params, at: u32) -> Factors {
    let items = items_at(job, at);
    return Factors(items, items);
}

fn factors_load(job: Params, at: u32) -> vec2<Elem> {
    return vec2<Elem>(elem_load(at + job.base));
}
