// Of the bits of f32s.

fn is_normal(bits: u32) -> bool {
    let doubled = bits << 1u;
    return (doubled >= 0x01000000u) & (doubled < 0xff000000u);
}

fn is_zero_or_normal(bits: u32) -> bool {
    return is_normal(bits) | ((bits << 1u) == 0u);
}
