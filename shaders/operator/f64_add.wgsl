// IEEE-754 addition in integers: round to nearest, ties to even, with subnormals, infinities and NaNs. On the bits of f64s.
//
// But for the sign of zero, which no sum shows in the end. Only infinities and NaNs have a branch, so that lanes stay together.

const F64_FRACTION_HIGH = 0x000fffffu;
// The bit that a normal number's leading one adds to the exponent field.
const F64_HIDDEN_HIGH = 0x00100000u;

// The significand with its leading bit in bit 62, and ten bits for rounding below its last one.
fn f64_addend(low: u32, high: u32) -> vec2<u32> {
    let hidden = select(0u, F64_HIDDEN_HIGH << 10u, high >= F64_HIDDEN_HIGH);
    return vec2<u32>(low << 10u, hidden | ((high & F64_FRACTION_HIGH) << 10u) | (low >> 22u));
}

fn f64_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let swaps = two_words_less(f64_without_sign(a), f64_without_sign(b));
    let larger = select(a, b, swaps);
    let smaller = select(b, a, swaps);
    let sign = larger.y & F64_SIGN_BIT;
    let high = larger.y & ~F64_SIGN_BIT;
    let smaller_high = smaller.y & ~F64_SIGN_BIT;
    let subtracts = (a.y ^ b.y) >> 31u;
    if high >= F64_INFINITY_HIGH {
        let is_nan = f64_is_nan(larger) | ((subtracts == 1u) & (smaller_high == F64_INFINITY_HIGH));
        return select(larger, F64_CANONICAL_NAN, is_nan);
    }

    let field = max(high >> 20u, 1u);
    // From 63 on all that matters is whether there is a bit.
    let distance = min(field - max(smaller_high >> 20u, 1u), 63u);
    let aligned = shifted_right(f64_addend(smaller.x, smaller_high), distance);
    // The last bit stands for all below. To subtract is to add the complement, and one: in the larger one that bit is 0.
    let complement = 0u - subtracts;
    let addend_low = (aligned.value.x | min(aligned.lost, 1u)) ^ complement;
    let addend_high = aligned.value.y ^ complement;
    let whole = f64_addend(larger.x, high);
    let low = (whole.x | subtracts) + addend_low;
    let sum = vec2<u32>(low, whole.y + addend_high + select(0u, 1u, low < addend_low));

    // The leading bit to bit 63, as far as the exponent goes: of 0, all the way.
    let zeros_of_low = select(32u + countLeadingZeros(sum.x), 4096u, sum.x == 0u);
    let up = min(select(countLeadingZeros(sum.y), zeros_of_low, sum.y == 0u), field);
    let leading = shifted_left(sum, up);
    let kept = vec2<u32>((leading.x >> 11u) | (leading.y << 21u), leading.y >> 11u);
    let rounds_up = select(0u, 1u, (leading.x & 0x7ffu) + (kept.x & 1u) > 0x400u);
    // The leading bit adds one to the exponent, unless it is missing: then this is a subnormal. A carry of the rounding goes into
    // the exponent as it should.
    let bits_low = kept.x + rounds_up;
    let bits_high = ((field - up) << 20u) + kept.y + select(0u, 1u, bits_low < rounds_up);
    let is_infinite = bits_high >= F64_INFINITY_HIGH;
    return vec2<u32>(select(bits_low, 0u, is_infinite), sign | min(bits_high, F64_INFINITY_HIGH));
}

// a * 2^a_scale + b * 2^b_scale in integers, rounded once: to nearest, ties to even, with subnormals, infinities and NaNs. On the
// bits of f64s. The sign of zero is lost.
@if(scaled) fn f64_add_scaled(a: vec2<u32>, a_scale: i32, b: vec2<u32>, b_scale: i32) -> vec2<u32> {
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
