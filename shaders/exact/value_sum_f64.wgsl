// The sum of f64s, rounded once.
fn exact_value(specials: u32, len: vec2<u32>) -> vec2<u32> {
    if specials != 0u {
        return special_value(specials);
    }
    let sign = select(0u, F64_SIGN_BIT, take_sign(0u));
    return nearest(leading_bits(), 0u) | vec2<u32>(0u, sign);
}
