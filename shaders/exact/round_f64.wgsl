// The nearest f64s to integers.

// Leading bits of a quotient that rounding takes: the rest only matters as a whole.
const QUOTIENT_BITS = 64u;

// A NaN or an infinity.
fn special_value(specials: u32) -> vec2<u32> {
    if specials == SPECIAL_INFINITY {
        return vec2<u32>(0u, F64_INFINITY_HIGH);
    }
    if specials == SPECIAL_NEGATIVE_INFINITY {
        return vec2<u32>(0u, F64_SIGN_BIT | F64_INFINITY_HIGH);
    }
    return F64_CANONICAL_NAN;
}

// The bits of the nearest float, ties to even, to an integer in units of 2^-(1074 + unit_place). 0 of 0.
fn nearest(leading: Leading, unit_place: u32) -> vec2<u32> {
    let exponent = i32(leading.place) - i32(unit_place) - 63 - 1074;
    return f64_nearest(vec2<u32>(leading.low, leading.high), leading.has_rest, exponent);
}
