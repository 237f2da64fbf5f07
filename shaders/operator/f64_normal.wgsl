// Of the bits of f64s.

fn is_normal(bits: vec2<u32>) -> bool {
    let doubled = bits.y << 1u;
    return (doubled >= 0x00200000u) & (doubled < 0xffe00000u);
}

fn is_zero_or_normal(bits: vec2<u32>) -> bool {
    return is_normal(bits) | f64_is_zero(bits);
}
