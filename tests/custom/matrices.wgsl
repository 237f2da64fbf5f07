// The product of matrices of two rows and two columns, modulo 2^32, which elements are as they are.
fn identity() -> vec4<u32> {
    return vec4<u32>(1u, 0u, 0u, 1u);
}

fn combine(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    return vec4<u32>(
        a.x * b.x + a.y * b.z,
        a.x * b.y + a.y * b.w,
        a.z * b.x + a.w * b.z,
        a.z * b.y + a.w * b.w,
    );
}
