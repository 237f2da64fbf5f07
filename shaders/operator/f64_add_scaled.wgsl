// a * 2^a_scale + b * 2^b_scale in integers, rounded once: to nearest, ties to even, with subnormals, infinities and NaNs. On the
// bits of f64s. The sign of zero is lost.
fn f64_add_scaled(a: vec2<u32>, a_scale: i32, b: vec2<u32>, b_scale: i32) -> vec2<u32> {
    let a_high = a.y & ~F64_SIGN_BIT;
    let b_high = b.y & ~F64_SIGN_BIT;
    let subtracts = ((a.y ^ b.y) & F64_SIGN_BIT) != 0u;
    if max(a_high, b_high) >= F64_INFINITY_HIGH {
        let is_nan = f64_is_nan(a) | f64_is_nan(b) | (subtracts & (a_high == b_high));
        return select(select(a, b, b_high == F64_INFINITY_HIGH), F64_CANONICAL_NAN, is_nan);
    }
    let x = f64_normalized(a);
    let y = f64_normalized(b);
    // Zero is below everything.
    let x_exponent = select(x.exponent + a_scale, -8192, f64_is_zero(a));
    let y_exponent = select(y.exponent + b_scale, -8192, f64_is_zero(b));
    let is_less = two_words_less(x.significand, y.significand);
    let swaps = (x_exponent < y_exponent) | ((x_exponent == y_exponent) & is_less);
    let exponent = select(x_exponent, y_exponent, swaps);
    // Ten bits more than a significand has, and one for a carry.
    let larger = shifted_left(select(x.significand, y.significand, swaps), 10u);
    let smaller = shifted_left(select(y.significand, x.significand, swaps), 10u);
    let distance = u32(min(exponent - select(y_exponent, x_exponent, swaps), 63));
    let aligned = shifted_right(smaller, distance);
    let has_rest = aligned.lost != 0u;
    // To subtract is to add the complement, and one; but what is below the last bit and taken away leaves the rest of that bit.
    let addend = select(aligned.value, ~aligned.value, subtracts);
    let carry = select(0u, 1u, subtracts & !has_rest);
    let low = larger.x + addend.x;
    let low_carry = select(0u, 1u, low < addend.x);
    let sum_low = low + carry;
    let high_carry = low_carry | select(0u, 1u, sum_low < carry);
    let sum = vec2<u32>(sum_low, larger.y + addend.y + high_carry);
    if (sum.x | sum.y) == 0u {
        return vec2<u32>(0u, 0u);
    }
    let up = two_words_leading_zeros(sum);
    let sign = select(a.y, b.y, swaps) & F64_SIGN_BIT;
    let bits = f64_nearest(shifted_left(sum, up), has_rest, exponent - 10 - i32(up));
    return vec2<u32>(bits.x, sign | bits.y);
}
