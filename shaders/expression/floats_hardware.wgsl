// Sums and products by the device, each fenced, and whether they are right: where operands and result are normal, or zeros and numbers that
// cancel each other, which need no device.

fn float_add_quick(a: u32, b: u32) -> u32 {
    let sum = select(
        fence(bitcast<f32>(a) + bitcast<f32>(b)),
        a & b,
        ((a | b) << 1u) == 0u,
    );
    return select(sum, 0u, (a ^ b) == F32_SIGN_BIT);
}

fn float_add_is_right(a: u32, b: u32, sum: u32) -> bool {
    let needs_none = ((a | b) << 1u) == 0u || (a ^ b) == F32_SIGN_BIT;
    return is_zero_or_normal(a) && is_zero_or_normal(b) && (is_normal(sum) || needs_none);
}

fn float_multiply_quick(a: u32, b: u32) -> u32 {
    let product = fence(bitcast<f32>(a) * bitcast<f32>(b));
    let is_zero = (a << 1u) == 0u || (b << 1u) == 0u;
    return select(product, (a ^ b) & F32_SIGN_BIT, is_zero);
}

fn float_multiply_is_right(a: u32, b: u32, product: u32) -> bool {
    let is_zero = (a << 1u) == 0u || (b << 1u) == 0u;
    return is_zero_or_normal(a) && is_zero_or_normal(b) && (is_normal(product) || is_zero);
}
