// What all test kernels bind, and where they keep what lanes got: in slots of a pair of words for each lane.

struct Params {
    zero: u32,
    // Of tiles; and the lane, the delta or the mask of shuffles.
    width: u32,
    by: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;

fn keep_words(slot: u32, words: vec2<u32>, invocation: gridfold_Invocation) {
    // Every kernel has all bindings.
    _ = params.zero;
    let at = 2u * (slot * gridfold_WORKGROUP_SIZE + invocation.local_invocation_index);
    output[at] = words.x;
    output[at + 1u] = words.y;
}
