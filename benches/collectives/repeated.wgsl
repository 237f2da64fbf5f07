// What both kernels of repeated sums bind.

struct Params {
    // 0, for the collectives.
    zero: u32,
    rounds: u32,
    // 1, of which no compiler knows.
    one: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> output: array<Value>;
