// The composition of maps x -> factor * x + offset, modulo 2^32, which elements are as they are: first a, then b.
fn identity() -> vec2<u32> {
    return vec2<u32>(1u, 0u);
}

fn combine(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x * b.x, a.y * b.x + b.y);
}
