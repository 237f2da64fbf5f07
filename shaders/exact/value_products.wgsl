// The sum of products, rounded once.
fn exact_value(total: Total) -> u32 {
    if total.specials != 0u {
        return special_value(total.specials);
    }
    let negative = is_negative(total.limbs[LIMBS - 1u]);
    let sign = select(0u, F32_SIGN_BIT, negative);
    return sign | nearest(leading_bits(magnitude(total.limbs, negative)), 149u);
}
