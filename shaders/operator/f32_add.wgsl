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
