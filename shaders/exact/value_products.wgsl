// The sum of products, rounded once.
fn exact_value(specials: u32, len: vec2<u32>) -> u32 {
    if specials != 0u {
        return special_value(specials);
    }
    let sign = select(0u, F32_SIGN_BIT, take_sign(0u));
    return sign | nearest(leading_bits(), 149u);
}
