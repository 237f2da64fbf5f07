// The bits without the signs. Every NaN is one, and above all others.
fn elem_magnitude(bits: Elem) -> Elem {
    let magnitudes = bits & Elem(~F32_SIGN_BIT);
    let are_nan = magnitudes > Elem(F32_INFINITY_BITS);
    return select(magnitudes, Elem(F32_CANONICAL_NAN_BITS), are_nan);
}
