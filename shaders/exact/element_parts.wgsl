// A finite element is significand * 2^position units of 2^-149, with the sign.
struct ElementParts {
    significand: u32,
    position: u32,
    // The sign, spread over a word.
    negative: u32,
}

fn element_parts(bits: Elem) -> ElementParts {
    let field = extractBits(bits, 23u, 8u);
    // 0 for zeros and subnormals, which have the exponent of the smallest normal numbers.
    let is_normal = min(field, 1u);
    return ElementParts(
        (bits & 0x007fffffu) | (is_normal << 23u),
        field - is_normal,
        bitcast<u32>(bitcast<i32>(bits) >> 31u),
    );
}

// A magnitude as a two's complement number; `negative` is 0 or all bits.
fn with_sign(magnitude: u32, negative: u32) -> u32 {
    return (magnitude ^ negative) - negative;
}

fn is_finite(bits: Elem) -> bool {
    return (bits & ~F32_SIGN_BIT) < F32_INFINITY_BITS;
}

// The element, or 0 for an infinity or NaN.
fn finite_or_zero(bits: Elem) -> Elem {
    return select(0u, bits, is_finite(bits));
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
