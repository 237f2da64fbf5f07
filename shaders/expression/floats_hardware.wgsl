// Sums and products by the device, each fenced, and whether they are right: where operands and result are normal, or zeros and numbers that
// cancel each other.

// Where the device's sum is zero, its sign may be any. It is the one of zeros that agree on it, and else positive.
fn float_add_quick(a: u32, b: u32) -> u32 {
    let sum = fence(bitcast<f32>(a) + bitcast<f32>(b));
    return select(sum, a & b & F32_SIGN_BIT, (sum << 1u) == 0u);
}

fn float_add_is_right(a: u32, b: u32, sum: u32) -> bool {
    let needs_none = (((a | b) << 1u) == 0u) | ((a ^ b) == F32_SIGN_BIT);
    return is_zero_or_normal(a) & is_zero_or_normal(b) & (is_normal(sum) | needs_none);
}

// The sign of a zero may be any here, too.
fn float_multiply_quick(a: u32, b: u32) -> u32 {
    return (fence(bitcast<f32>(a) * bitcast<f32>(b)) & ~F32_SIGN_BIT) | ((a ^ b) & F32_SIGN_BIT);
}

fn float_multiply_is_right(a: u32, b: u32, product: u32) -> bool {
    let is_zero = ((a << 1u) == 0u) | ((b << 1u) == 0u);
    return is_zero_or_normal(a) & is_zero_or_normal(b) & (is_normal(product) | is_zero);
}

// Whether a sum or product shows by itself that it is right, as most do. It is a number of at least 2^-101. A device may take a subnormal operand for
// zero. Then a product is zero, and a sum is the other operand, from which less than 2^-126 takes it nowhere.
fn float_is_plain(bits: u32) -> bool {
    return (bits << 1u) - 0x1a000000u < 0xe5000000u;
}
