// IEEE-754 products by the device's multiplier, each fenced.

// For factors in a safe range.
fn product(a: Elem, b: Elem) -> Acc {
    return fence_f64(f64_of(a) * f64_of(b));
}

// For any: by the device where it can be seen to be right, which is where both factors and the product are normal.
fn product_any(a: Elem, b: Elem) -> Acc {
    let by_device = product(a, b);
    if is_normal(a) & is_normal(b) & is_normal(by_device) {
        return by_device;
    }
    return f64_multiply(a, b);
}
