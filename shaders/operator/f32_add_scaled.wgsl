// a * 2^a_scale + b * 2^b_scale in integers, rounded once: to nearest, ties to even, with subnormals, infinities and NaNs. On the
// bits of floats. The sign of zero is lost.
fn f32_add_scaled(a: u32, a_scale: i32, b: u32, b_scale: i32) -> u32 {
    let a_magnitude = a & ~F32_SIGN_BIT;
    let b_magnitude = b & ~F32_SIGN_BIT;
    let subtracts = ((a ^ b) & F32_SIGN_BIT) != 0u;
    if max(a_magnitude, b_magnitude) >= F32_INFINITY_BITS {
        let is_nan = (max(a_magnitude, b_magnitude) > F32_INFINITY_BITS)
            | (subtracts & (a_magnitude == b_magnitude));
        let special = select(a, b, b_magnitude == F32_INFINITY_BITS);
        return select(special, F32_CANONICAL_NAN_BITS, is_nan);
    }
    let x = f32_normalized(a_magnitude);
    let y = f32_normalized(b_magnitude);
    // Zero is below everything.
    let x_exponent = select(x.exponent + a_scale, -4096, a_magnitude == 0u);
    let y_exponent = select(y.exponent + b_scale, -4096, b_magnitude == 0u);
    let swaps = (x_exponent < y_exponent) | ((x_exponent == y_exponent) & (x.significand < y.significand));
    let exponent = select(x_exponent, y_exponent, swaps);
    // Seven bits more than a significand has, and one for a carry.
    let larger = select(x.significand, y.significand, swaps) << 7u;
    let smaller = select(y.significand, x.significand, swaps) << 7u;
    let shift = u32(min(exponent - select(y_exponent, x_exponent, swaps), 31));
    let has_rest = (smaller & ((1u << shift) - 1u)) != 0u;
    let aligned = smaller >> shift;
    // What is below the last bit and taken away leaves the rest of that bit.
    let difference = larger - aligned - select(0u, 1u, has_rest);
    let sum = select(larger + aligned, difference, subtracts);
    if sum == 0u {
        return 0u;
    }
    let up = countLeadingZeros(sum);
    let sign = select(a, b, swaps) & F32_SIGN_BIT;
    return sign | f32_nearest(sum << up, has_rest, exponent - 7 - i32(up));
}
