// The sum of f64s divided by their number, rounded once.
fn exact_value(specials: u32) -> vec2<u32> {
    if (params.len_low | params.len_high) == 0u {
        return F64_CANONICAL_NAN;
    }
    if specials != 0u {
        return special_value(specials);
    }
    let sign = select(0u, F64_SIGN_BIT, take_sign(0u));
    let divisor = vec3<u32>(params.len_low, params.len_high, 0u);
    return nearest(leading_quotient_bits(divisor), 1u) | vec2<u32>(0u, sign);
}
