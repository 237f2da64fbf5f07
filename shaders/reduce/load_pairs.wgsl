// How an operator of two inputs finds what it lifts: the products of the elements at the same places.
//
// The inputs need not begin at the same place in a vector, and as vectors and as words they would take two bindings more than
// every device has: so both are loaded word by word.
struct Items {
    left: Quad,
    right: Quad,
}

// The four from a position on.
fn items_at(job: Params, at: u32) -> Items {
    let left = at + job.base;
    let right = at + job.right_base;
    return Items(
        Quad(
            left_words[left],
            left_words[left + 1u],
            left_words[left + 2u],
            left_words[left + 3u],
        ),
        Quad(
            right_words[right],
            right_words[right + 1u],
            right_words[right + 2u],
            right_words[right + 3u],
        ),
    );
}

fn items_copy(items: Items) -> Items {
    return Items(items.left, items.right);
}

fn items_lift(items: Items) -> Acc4 {
    return Acc4(
        product(items.left.x, items.right.x),
        product(items.left.y, items.right.y),
        product(items.left.z, items.right.z),
        product(items.left.w, items.right.w),
    );
}

// The same of any elements.
fn items_lift_any(items: Items, nothing: u32) -> Acc4 {
    return products_of_any(items.left, items.right, nothing);
}

fn range_include_items(range: Range, items: Items) -> Range {
    return range_include_elems(range_include_elems(range, items.left), items.right);
}

fn factors_at(job: Params, at: u32) -> Factors {
    let items = items_at(job, at);
    return Factors(items.left, items.right);
}

fn factors_load(job: Params, at: u32) -> vec2<Elem> {
    return vec2<Elem>(left_words[at + job.base], right_words[at + job.right_base]);
}
