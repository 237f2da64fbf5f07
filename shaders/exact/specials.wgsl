// Flags for what is not finite.
const SPECIAL_NAN = 1u;
const SPECIAL_INFINITY = 2u;
const SPECIAL_NEGATIVE_INFINITY = 4u;

// What is not finite.

@if(f32) fn is_finite(bits: Elem) -> bool {
    return (bits & ~F32_SIGN_BIT) < F32_INFINITY_BITS;
}

@if(f32) fn all_finite(elements: vec4<Elem>) -> bool {
    let magnitudes = elements & vec4<u32>(~F32_SIGN_BIT);
    return max(max(magnitudes.x, magnitudes.y), max(magnitudes.z, magnitudes.w)) < F32_INFINITY_BITS;
}

// The flag of an infinity or NaN, else none.
@if(f32) fn special_of(bits: Elem) -> u32 {
    let infinity = select(SPECIAL_INFINITY, SPECIAL_NEGATIVE_INFINITY, bits >= F32_SIGN_BIT);
    let special = select(infinity, SPECIAL_NAN, (bits & ~F32_SIGN_BIT) > F32_INFINITY_BITS);
    return select(special, 0u, is_finite(bits));
}

@if(f32) fn specials_of(elements: vec4<Elem>) -> u32 {
    return special_of(elements.x) | special_of(elements.y)
        | special_of(elements.z) | special_of(elements.w);
}

// What is not finite, of f64s.

// The flag of an infinity or NaN, else none.
@if(f64) fn special_of(bits: Elem) -> u32 {
    let infinity = select(SPECIAL_INFINITY, SPECIAL_NEGATIVE_INFINITY, bits.y >= F64_SIGN_BIT);
    let special = select(infinity, SPECIAL_NAN, f64_is_nan(bits));
    return select(special, 0u, (bits.y & ~F64_SIGN_BIT) < F64_INFINITY_HIGH);
}
