// IEEE-754 products by the device's multiplier, each fenced.

// For factors in a safe range.
@if(f32) fn product(a: Elem, b: Elem) -> Acc {
    return fence(bitcast<f32>(a) * bitcast<f32>(b));
}

// For any: by the device where it can be seen to be right, which is where both factors and the product are normal.
@if(f32) fn product_any(a: Elem, b: Elem) -> Acc {
    let by_device = product(a, b);
    if is_normal(a) & is_normal(b) & is_normal(by_device) {
        return by_device;
    }
    return f32_multiply(a, b);
}

// IEEE-754 products in integers throughout, for devices whose arithmetic failed the start-up probe.
@if(f32_software) fn product(a: Elem, b: Elem) -> Acc {
    return f32_multiply(a, b);
}

@if(f32_software) fn product_any(a: Elem, b: Elem) -> Acc {
    return f32_multiply(a, b);
}

// IEEE-754 products by the device's multiplier, each fenced.

// For factors in a safe range.
@if(f64) fn product(a: Elem, b: Elem) -> Acc {
    return fence_f64(f64_of(a) * f64_of(b));
}

// For any: by the device where it can be seen to be right, which is where both factors and the product are normal.
@if(f64) fn product_any(a: Elem, b: Elem) -> Acc {
    let by_device = product(a, b);
    if is_normal(a) & is_normal(b) & is_normal(by_device) {
        return by_device;
    }
    return f64_multiply(a, b);
}

// IEEE-754 products in integers throughout.
@if(f64_software) fn product(a: Elem, b: Elem) -> Acc {
    return f64_multiply(a, b);
}

@if(f64_software) fn product_any(a: Elem, b: Elem) -> Acc {
    return f64_multiply(a, b);
}
