// The product of two significands in [1, 2), as the bits of an f32 in [1, 4), by the device's multiplier:
// nothing is subnormal or infinite.
fn significand_product(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) * bitcast<f32>(b));
}
