// A finite element is significand * 2^position units of 2^-149, with the sign.
struct ElementParts {
    significand: u32,
    position: u32,
    is_negative: bool,
}

fn element_parts(bits: Elem) -> ElementParts {
    let field = extractBits(bits, 23u, 8u);
    // 0 for zeros and subnormals, which have the exponent of the smallest normal numbers.
    let is_normal = min(field, 1u);
    return ElementParts(
        (bits & 0x007fffffu) | (is_normal << 23u),
        field - is_normal,
        bits >= F32_SIGN_BIT,
    );
}

// The element, or 0 for an infinity or NaN.
fn finite_or_zero(bits: Elem) -> Elem {
    return select(0u, bits, is_finite(bits));
}
