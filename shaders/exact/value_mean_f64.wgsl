// The sum of f64s divided by their number, rounded once.
fn exact_value(specials: u32, len: vec2<u32>) -> vec2<u32> {
    if all(len == vec2<u32>()) {
        return F64_CANONICAL_NAN;
    }
    if specials != 0u {
        return special_value(specials);
    }
    let sign = select(0u, F64_SIGN_BIT, take_sign(0u));
    let divisor = vec3<u32>(len, 0u);
    return nearest(leading_quotient_bits(divisor), 1u) | vec2<u32>(0u, sign);
}
