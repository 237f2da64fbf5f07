// The product of two significands in [1, 2), as the bits of an f64 in [1, 4), by the device's multiplier: nothing is subnormal or
// infinite.
fn product_of_significands(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return fence_f64(f64_of(a) * f64_of(b));
}
