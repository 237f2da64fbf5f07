// An f64 travels as its bits, the low word first: no device needs to have such floats.

const F64_SIGN_BIT = 0x80000000u;
const F64_CANONICAL_NAN = Elem(0u, 0x7ff80000u);

// Of infinity, the high word. Its low one is 0.
const F64_INFINITY_HIGH = 0x7ff00000u;

// The bits without the sign, in the order of magnitudes.
fn f64_without_sign(bits: Elem) -> Elem {
    return Elem(bits.x, bits.y & ~F64_SIGN_BIT);
}

fn f64_is_nan(bits: Elem) -> bool {
    let high = bits.y & ~F64_SIGN_BIT;
    return high > F64_INFINITY_HIGH || (high == F64_INFINITY_HIGH && bits.x != 0u);
}

// Every NaN is one, and above all others.
fn elem_magnitude(bits: Elem) -> vec2<u32> {
    return select(f64_without_sign(bits), F64_CANONICAL_NAN, f64_is_nan(bits));
}

// -0 is, NaN is not.
fn elem_is_zero(bits: Elem) -> bool {
    return (bits.x | (bits.y & ~F64_SIGN_BIT)) == 0u;
}

fn elem_is_nan(bits: Elem) -> bool {
    return f64_is_nan(bits);
}
