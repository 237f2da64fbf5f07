// An f64 travels as its bits, the low word first: no device needs to have such floats.

// Every NaN is one, and above all others.
fn elem_magnitude(bits: Elem) -> vec2<u32> {
    return select(f64_without_sign(bits), F64_CANONICAL_NAN, f64_is_nan(bits));
}

fn elem_is_zero(bits: Elem) -> bool {
    return f64_is_zero(bits);
}

fn elem_is_nan(bits: Elem) -> bool {
    return f64_is_nan(bits);
}
