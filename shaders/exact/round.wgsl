// Integers of many limbs, and the nearest floats to them.

// A NaN or an infinity.
fn special_value(specials: u32) -> u32 {
    if specials == SPECIAL_INFINITY {
        return F32_INFINITY_BITS;
    }
    if specials == SPECIAL_NEGATIVE_INFINITY {
        return F32_SIGN_BIT | F32_INFINITY_BITS;
    }
    return F32_CANONICAL_NAN_BITS;
}

// Makes a number, in the limbs from `first` on, its magnitude; and returns whether it was negative.
fn take_sign(first: u32) -> bool {
    let negative = is_negative(limbs[LIMBS - 1u]);
    let flip = select(0u, 0xffffffffu, negative);
    var carry = flip & 1u;
    for (var i = first; i < LIMBS; i++) {
        let limb = (limbs[i] ^ flip) + carry;
        carry = select(0u, carry, limb == 0u);
        limbs[i] = limb;
    }
    return negative;
}

// The first 64 bits of the limbs, from the highest on.
struct Leading {
    high: u32,
    low: u32,
    // The highest bit's number; there is none if high is 0.
    place: u32,
    // Whether there is anything below the 64 bits.
    has_rest: bool,
}

fn leading_bits() -> Leading {
    var index = 0u;
    for (var i = 0u; i < LIMBS; i++) {
        if limbs[i] != 0u {
            index = i;
        }
    }
    var rest = 0u;
    for (var i = 0u; i < LIMBS; i++) {
        if i + 2u < index {
            rest |= limbs[i];
        }
    }
    let top = limbs[index];
    let middle = select(0u, limbs[max(index, 1u) - 1u], index >= 1u);
    let bottom = select(0u, limbs[max(index, 2u) - 2u], index >= 2u);
    let shift = countLeadingZeros(top) & 31u;
    return Leading(
        shifted_left(top, middle, shift),
        shifted_left(middle, bottom, shift),
        32u * index + 31u - shift,
        (rest | (bottom << shift)) != 0u,
    );
}

// The upper half of (high, low) << shift, where shift is less than 32.
fn shifted_left(high: u32, low: u32, shift: u32) -> u32 {
    return (high << shift) | ((low >> 1u) >> (31u - shift));
}

// The bits of the nearest float, ties to even, to an integer in units of 2^-(149 + unit_place).
fn nearest(leading: Leading, unit_place: u32) -> u32 {
    if leading.high == 0u {
        return 0u;
    }
    // The place of the last bit kept: 24 bits, or as many as a subnormal has.
    let last = max(max(leading.place, 23u) - 23u, unit_place);
    // How many of the 64 leading bits are not kept: 40, or more for subnormals.
    let dropped = 63u + last - leading.place;
    if dropped > 64u {
        return 0u;
    }
    let kept = select(leading.high >> (dropped & 31u), 0u, dropped == 64u);
    // What is dropped of the upper half, from its highest bit on.
    let below = leading.high << (64u - dropped);
    let is_half = is_negative(below);
    let is_more = (below << 1u) != 0u || leading.low != 0u || leading.has_rest;
    let up = is_half && (is_more || (kept & 1u) == 1u);
    // The leading bit adds 1 to the exponent field, and so does a significand rounded up to 2^24. What is too large
    // for the field, which has 9 bits here, is infinite.
    let field = last - unit_place;
    return min((field << 23u) + kept + select(0u, 1u, up), F32_INFINITY_BITS);
}
