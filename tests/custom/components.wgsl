// x * y + z of each, added up, modulo 2^32.
fn identity() -> u32 {
    return 0u;
}

fn lift(p: vec3<u32>) -> u32 {
    return p.x * p.y + p.z;
}

fn combine(a: u32, b: u32) -> u32 {
    return a + b;
}
