// The product of two significands in [1, 2), as the bits of an f64 in [1, 4), in integers.
fn product_of_significands(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return f64_multiply(a, b);
}
