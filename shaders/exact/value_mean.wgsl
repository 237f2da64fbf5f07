// The sum divided by the number of elements, rounded once.
fn exact_value(total: Total) -> u32 {
    if (params.len_low | params.len_high) == 0u {
        return F32_CANONICAL_NAN_BITS;
    }
    if total.specials != 0u {
        return special_value(total.specials);
    }
    let negative = is_negative(total.limbs[LIMBS - 1u]);
    let sign = select(0u, F32_SIGN_BIT, negative);
    let divisor = vec3<u32>(params.len_low, params.len_high, 0u);
    return sign | nearest(leading_quotient_bits(magnitude(total.limbs, negative), divisor), 1u);
}
