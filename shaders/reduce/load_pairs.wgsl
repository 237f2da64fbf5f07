// How an operator of two inputs finds what it lifts: the products of the elements at the same places.
//
// The inputs need not begin at the same place in a vector, and as vectors and as words they would take two bindings more than
// every device has: so both are loaded word by word.
struct Items {
    left: Pack,
    right: Pack,
}

fn left_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.base;
}

fn right_index(job: Params, at: u32) -> u32 {
    return INDEX_STEP * at + job.right_base;
}

// The four from a position on.
fn items_at(job: Params, at: u32) -> Items {
    return Items(left_pack(left_index(job, at)), right_pack(right_index(job, at)));
}

fn items_copy(items: Items) -> Items {
    return Items(pack_copy(items.left), pack_copy(items.right));
}

fn items_lift(items: Items) -> Acc4 {
    let left = quad_unpack(items.left);
    let right = quad_unpack(items.right);
    return Acc4(
        product(left.x, right.x),
        product(left.y, right.y),
        product(left.z, right.z),
        product(left.w, right.w),
    );
}

// The same of any elements.
fn items_lift_any(items: Items, nothing: u32) -> Acc4 {
    return products_of_any(quad_unpack(items.left), quad_unpack(items.right), nothing);
}

fn range_include_items(range: Range, items: Items) -> Range {
    let of_left = range_include_elems(range, quad_unpack(items.left));
    return range_include_elems(of_left, quad_unpack(items.right));
}

fn factors_at(job: Params, at: u32) -> Factors {
    let items = items_at(job, at);
    return Factors(quad_unpack(items.left), quad_unpack(items.right));
}

fn factor_load(job: Params, at: u32) -> Factor {
    return Factor(left_elem(left_index(job, at)), right_elem(right_index(job, at)));
}
