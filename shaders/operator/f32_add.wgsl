// IEEE-754 addition in integers: round to nearest, ties to even, with subnormals, infinities and NaNs. On
// the bits of floats.

const F32_FRACTION_MASK = 0x007fffffu;
const F32_HIDDEN_BIT = 0x00800000u;

// The significand as an integer, with its leading bit.
fn f32_significand(magnitude: u32) -> u32 {
    return (magnitude & F32_FRACTION_MASK) | select(0u, F32_HIDDEN_BIT, magnitude >= F32_HIDDEN_BIT);
}

fn f32_add(a: u32, b: u32) -> u32 {
    let swaps = (a & ~F32_SIGN_BIT) < (b & ~F32_SIGN_BIT);
    let larger = select(a, b, swaps);
    let smaller = select(b, a, swaps);
    let magnitude = larger & ~F32_SIGN_BIT;
    let smaller_magnitude = smaller & ~F32_SIGN_BIT;
    let sign = larger & F32_SIGN_BIT;
    let subtracts = ((a ^ b) & F32_SIGN_BIT) != 0u;
    if magnitude >= F32_INFINITY_BITS {
        let is_nan = (magnitude > F32_INFINITY_BITS)
            | (subtracts & (smaller_magnitude == F32_INFINITY_BITS));
        return select(larger, F32_CANONICAL_NAN_BITS, is_nan);
    }

    // Three bits more than a significand has: two for rounding, and one that stands for all below.
    var exponent = max(magnitude >> 23u, 1u);
    let shift = min(exponent - max(smaller_magnitude >> 23u, 1u), 31u);
    let addend = f32_significand(smaller_magnitude) << 3u;
    let rest_below = select(0u, 1u, (addend & ((1u << shift) - 1u)) != 0u);
    let aligned = (addend >> shift) | rest_below;
    let whole = f32_significand(magnitude) << 3u;
    var sum = select(whole + aligned, whole - aligned, subtracts);
    if sum == 0u {
        return select(sign, 0u, subtracts);
    }

    // The leading bit to bit 26, as far as the exponent goes.
    if sum >= (F32_HIDDEN_BIT << 4u) {
        sum = (sum >> 1u) | (sum & 1u);
        exponent += 1u;
    } else {
        let up = min(countLeadingZeros(sum) - 5u, exponent - 1u);
        sum <<= up;
        exponent -= up;
    }
    let kept = sum >> 3u;
    let rest = sum & 7u;
    let rounds_up = (rest > 4u) | ((rest == 4u) & ((kept & 1u) == 1u));
    // The leading bit adds one to the exponent, unless it is missing: then this is a subnormal. A carry
    // of the rounding goes into the exponent as it should.
    let bits = ((exponent - 1u) << 23u) + kept + select(0u, 1u, rounds_up);
    return sign | min(bits, F32_INFINITY_BITS);
}

// a * 2^a_scale + b * 2^b_scale in integers, rounded once: to nearest, ties to even, with subnormals, infinities and NaNs. On the
// bits of floats. The sign of zero is lost.
@if(scaled) fn f32_add_scaled(a: u32, a_scale: i32, b: u32, b_scale: i32) -> u32 {
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
