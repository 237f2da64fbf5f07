// IEEE-754 multiplication in integers: round to nearest, ties to even, with subnormals, infinities and NaNs. On the bits of
// floats.
fn f32_multiply(a: u32, b: u32) -> u32 {
    return f32_multiply_scaled(a, b, 0);
}

// The product times 2^scale, rounded once.
fn f32_multiply_scaled(a: u32, b: u32, scale: i32) -> u32 {
    let sign = (a ^ b) & F32_SIGN_BIT;
    let larger = max(a & ~F32_SIGN_BIT, b & ~F32_SIGN_BIT);
    let smaller = min(a & ~F32_SIGN_BIT, b & ~F32_SIGN_BIT);
    if larger >= F32_INFINITY_BITS {
        let is_nan = (larger > F32_INFINITY_BITS) | (smaller == 0u);
        return select(sign | F32_INFINITY_BITS, F32_CANONICAL_NAN_BITS, is_nan);
    }
    if smaller == 0u {
        return sign;
    }
    let x = f32_normalized(larger);
    let y = f32_normalized(smaller);
    // 48 bits, or 47, by halves of 12.
    let low_product = (x.significand & 0xfffu) * (y.significand & 0xfffu);
    let middle = (x.significand & 0xfffu) * (y.significand >> 12u)
        + (x.significand >> 12u) * (y.significand & 0xfffu);
    let low = low_product + ((middle & 0xfffu) << 12u);
    let high = (x.significand >> 12u) * (y.significand >> 12u) + (middle >> 12u) + (low >> 24u);
    // The leading 32 of them, from above and below bit 24.
    let up = countLeadingZeros(high);
    let rest_bits = 24u - up;
    let leading = (high << up) | ((low & 0xffffffu) >> rest_bits);
    let has_rest = (low & ((1u << rest_bits) - 1u)) != 0u;
    return sign | f32_nearest(leading, has_rest, x.exponent + y.exponent + i32(rest_bits) + scale);
}
