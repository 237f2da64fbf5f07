// An element of 64 bits is two words, the low one first: no device needs to know wider integers, or such floats.
alias Elem = vec2<u32>;

struct Quad {
    x: Elem,
    y: Elem,
    z: Elem,
    w: Elem,
}

// Unsigned, because the magnitude of the smallest i64 is no i64. Every NaN of floats has one magnitude, above all others.
fn elem_magnitude(value: Elem) -> vec2<u32> {
    if NUMBERS == FLOATS {
        return select(f64_without_sign(value), F64_CANONICAL_NAN, f64_is_nan(value));
    }
    // A low word of 0 borrows.
    let negated = vec2<u32>(0u - value.x, ~value.y + select(0u, 1u, value.x == 0u));
    return select(value, negated, (NUMBERS == SIGNED) & (value.y >= 0x80000000u));
}

// -0 is, NaN is not.
fn elem_is_zero(value: Elem) -> bool {
    if NUMBERS == FLOATS {
        return f64_is_zero(value);
    }
    return (value.x | value.y) == 0u;
}

// No integer is.
fn elem_is_nan(value: Elem) -> bool {
    return (NUMBERS == FLOATS) & f64_is_nan(value);
}
