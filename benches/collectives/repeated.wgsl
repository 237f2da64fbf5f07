// What both kernels of repeated sums bind.

struct Params {
    // 0, for the collectives.
    zero: u32,
    rounds: u32,
    // The bits of the first value of each workgroup's first lane, if not 0.
    lane_0: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> output: array<Value>;
