// An f32 travels as its bits: loads, shuffles, workgroup memory and partials never hold it as a
// float, because WGSL lets an implementation flush subnormals and change NaNs whenever it does.
// Operators make floats of the bits where they compute, and nowhere else.
alias Elem = u32;
alias Quad = vec4<Elem>;

const F32_INFINITY_BITS = 0x7f800000u;
const F32_CANONICAL_NAN_BITS = 0x7fc00000u;
const F32_SIGN_BIT = 0x80000000u;

fn elem_from_word(word: u32) -> Elem {
    return word;
}

fn elem_to_word(value: Elem) -> u32 {
    return value;
}

fn f32_is_nan(bits: u32) -> bool {
    return (bits & ~F32_SIGN_BIT) > F32_INFINITY_BITS;
}

// The bits without the sign, in the order of magnitudes. Every NaN is one, and above all others.
fn elem_magnitude(bits: Elem) -> u32 {
    return select(bits & ~F32_SIGN_BIT, F32_CANONICAL_NAN_BITS, f32_is_nan(bits));
}

// -0 is, NaN is not.
fn elem_is_zero(bits: Elem) -> bool {
    return (bits & ~F32_SIGN_BIT) == 0u;
}
