// The sum of all elements, in strides as in rung 12: what these studies share. Each has a tree of its own, over lanes of its own number.

struct Params {
    vectors: u32,
    workgroups: u32,
    // Vectors of a lane.
    rounds: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> vectors: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> total: atomic<u32>;

// Zeros past the end.
fn vector(i: u32) -> vec4<f32> {
    if i < params.vectors {
        return vectors[i];
    }
    return vec4<f32>();
}

// Elements are whole numbers, and so are sums: as integers they are added atomically everywhere.
fn total_add(sum: f32) {
    atomicAdd(&total, u32(sum));
}
