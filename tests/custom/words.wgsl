// The exclusive or of elements of 64 bits, which are two words.
fn identity() -> vec2<u32> {
    return vec2<u32>();
}

fn combine(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return a ^ b;
}
