// What is not finite.

fn is_finite(bits: Elem) -> bool {
    return (bits & ~F32_SIGN_BIT) < F32_INFINITY_BITS;
}

fn all_finite(elements: vec4<Elem>) -> bool {
    let magnitudes = elements & vec4<u32>(~F32_SIGN_BIT);
    return max(max(magnitudes.x, magnitudes.y), max(magnitudes.z, magnitudes.w)) < F32_INFINITY_BITS;
}

// The flag of an infinity or NaN, else none.
fn special_of(bits: Elem) -> u32 {
    let infinity = select(SPECIAL_INFINITY, SPECIAL_NEGATIVE_INFINITY, bits >= F32_SIGN_BIT);
    let special = select(infinity, SPECIAL_NAN, (bits & ~F32_SIGN_BIT) > F32_INFINITY_BITS);
    return select(special, 0u, is_finite(bits));
}

fn specials_of(elements: vec4<Elem>) -> u32 {
    return special_of(elements.x) | special_of(elements.y)
        | special_of(elements.z) | special_of(elements.w);
}
