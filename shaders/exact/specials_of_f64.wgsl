// What is not finite, of f64s.

// The flag of an infinity or NaN, else none.
fn special_of(bits: Elem) -> u32 {
    let infinity = select(SPECIAL_INFINITY, SPECIAL_NEGATIVE_INFINITY, bits.y >= F64_SIGN_BIT);
    let special = select(infinity, SPECIAL_NAN, f64_is_nan(bits));
    return select(special, 0u, (bits.y & ~F64_SIGN_BIT) < F64_INFINITY_HIGH);
}
