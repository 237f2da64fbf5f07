// The sum divided by the number of elements, rounded once.
fn exact_value(specials: u32, len: vec2<u32>) -> u32 {
    if all(len == vec2<u32>()) {
        return F32_CANONICAL_NAN_BITS;
    }
    if specials != 0u {
        return special_value(specials);
    }
    let sign = select(0u, F32_SIGN_BIT, take_sign(0u));
    let divisor = vec3<u32>(len, 0u);
    return sign | nearest(leading_quotient_bits(divisor), 1u);
}
