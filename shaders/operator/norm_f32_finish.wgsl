// The square root of the sum, rounded: in integers, as WGSL's root is not the nearest float.
fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(f32_root(total));
}

// Of what is not negative.
fn f32_root(total: u32) -> u32 {
    let magnitude = total & ~F32_SIGN_BIT;
    if magnitude > F32_INFINITY_BITS {
        return F32_CANONICAL_NAN_BITS;
    }
    if (magnitude == F32_INFINITY_BITS) | (magnitude == 0u) {
        return magnitude;
    }
    let sum = f32_normalized(magnitude);
    // As 64 bits, or 63, times an even power of two: the root's highest bit is bit 31.
    let is_odd = (sum.exponent & 1) == 1;
    let root = root_of(sum.significand << select(8u, 7u, is_odd), 0u);
    let exponent = (sum.exponent - select(40, 39, is_odd)) / 2;
    return f32_nearest(root.root, root.has_rest, exponent);
}
