// The nearest f32s to integers.

// Leading bits of a quotient that rounding takes: the rest only matters as a whole.
const QUOTIENT_BITS = 32u;

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
    let is_more = ((below << 1u) != 0u) | (leading.low != 0u) | leading.has_rest;
    let up = is_half & (is_more | ((kept & 1u) == 1u));
    // The leading bit adds 1 to the exponent field, and so does a significand rounded up to 2^24. What is too large
    // for the field, which has 9 bits here, is infinite.
    let field = last - unit_place;
    return min((field << 23u) + kept + select(0u, 1u, up), F32_INFINITY_BITS);
}

// The nearest f64s to integers.

// Leading bits of a quotient that rounding takes: the rest only matters as a whole.
@if(f64) const QUOTIENT_BITS = 64u;

// A NaN or an infinity.
@if(f64) fn special_value(specials: u32) -> vec2<u32> {
    if specials == SPECIAL_INFINITY {
        return vec2<u32>(0u, F64_INFINITY_HIGH);
    }
    if specials == SPECIAL_NEGATIVE_INFINITY {
        return vec2<u32>(0u, F64_SIGN_BIT | F64_INFINITY_HIGH);
    }
    return F64_CANONICAL_NAN;
}

// The bits of the nearest float, ties to even, to an integer in units of 2^-(1074 + unit_place). 0 of 0.
@if(f64) fn nearest(leading: Leading, unit_place: u32) -> vec2<u32> {
    let exponent = i32(leading.place) - i32(unit_place) - 63 - 1074;
    return f64_nearest(vec2<u32>(leading.low, leading.high), leading.has_rest, exponent);
}
