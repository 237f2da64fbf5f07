// Elements of one word.
alias Elem = u32;
alias Quad = vec4<Elem>;

const ELEM_ALL_BITS = 0xffffffffu;

fn elem_from_word(word: u32) -> Elem {
    return word;
}

fn elem_to_word(value: Elem) -> u32 {
    return value;
}

// Unsigned, because the magnitude of the smallest i32 is no i32. The magnitude of a float is its bits without the sign, which are in order. Every NaN has one
// magnitude, above all others.
fn elem_magnitude(value: Elem) -> u32 {
    if NUMBERS == FLOATS {
        return select(value & ~F32_SIGN_BIT, F32_CANONICAL_NAN_BITS, f32_is_nan(value));
    }
    return select(value, 0u - value, (NUMBERS == SIGNED) & (value >= 0x80000000u));
}

// -0 is, NaN is not.
fn elem_is_zero(value: Elem) -> bool {
    if NUMBERS == FLOATS {
        return (value & ~F32_SIGN_BIT) == 0u;
    }
    return value == 0u;
}

// No integer is.
fn elem_is_nan(value: Elem) -> bool {
    return (NUMBERS == FLOATS) & f32_is_nan(value);
}
