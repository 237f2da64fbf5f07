// A copy as fast as the memory: what reductions are measured against.
@group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> copied: array<vec4<u32>>;

// Vectors that an invocation copies.
const VECTORS = 8u;

@compute @workgroup_size(256)
fn copy(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let first = workgroup_id.x * 256u * VECTORS + lane;
    var vectors: array<vec4<u32>, VECTORS>;
    for (var i = 0u; i < VECTORS; i++) {
        vectors[i] = source[first + i * 256u];
    }
    for (var i = 0u; i < VECTORS; i++) {
        copied[first + i * 256u] = vectors[i];
    }
}
