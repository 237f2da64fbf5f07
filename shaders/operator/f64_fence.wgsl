// Floats of the device, of 64 bits, where it has them, and integers as wide: of two words, and back.

fn f64_of(bits: vec2<u32>) -> f64 {
    return bitcast<f64>(u64(bits.x) | (u64(bits.y) << 32u));
}

// As `fence` in params.wgsl: no compiler sees through it.
fn fence_f64(x: f64) -> vec2<u32> {
    let bits = bitcast<u64>(x) ^ u64(params.zero);
    return vec2<u32>(u32(bits), u32(bits >> 32u));
}
