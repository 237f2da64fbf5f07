// IEEE-754 products in integers throughout.
fn product(a: Elem, b: Elem) -> Acc {
    return f64_multiply(a, b);
}

fn product_any(a: Elem, b: Elem) -> Acc {
    return f64_multiply(a, b);
}
