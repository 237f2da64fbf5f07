// The bits of an f32.
alias Elem = u32;
alias Quad = vec4<Elem>;

fn elem_from_word(word: u32) -> Elem {
    return word;
}

fn elem_to_word(value: Elem) -> u32 {
    return value;
}

// The bits without the sign, in the order of magnitudes. Every NaN is one, and above all others.
fn elem_magnitude(bits: Elem) -> u32 {
    return select(bits & ~F32_SIGN_BIT, F32_CANONICAL_NAN_BITS, f32_is_nan(bits));
}

// -0 is, NaN is not.
fn elem_is_zero(bits: Elem) -> bool {
    return (bits & ~F32_SIGN_BIT) == 0u;
}

fn elem_is_nan(bits: Elem) -> bool {
    return f32_is_nan(bits);
}
