// The sum of a whole array: lanes add vectors in strides, a collective adds the workgroup's lanes, and an atomic the workgroups.

struct Params {
    vectors: u32,
    workgroups: u32,
    // Of loads.
    rounds: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> total: atomic<u32>;
@group(0) @binding(2) var<storage, read> input: array<vec4<u32>>;

// Vectors that a lane loads at once.
const LOADS = 4u;

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    let stride = params.workgroups * gridfold_WORKGROUP_SIZE;
    var sums = vec4<u32>();
    let first = workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE + invocation.local_invocation_index;
    for (var round = 0u; round < params.rounds; round++) {
        for (var i = 0u; i < LOADS; i++) {
            // Beyond the end nothing counts.
            let at = first + (LOADS * round + i) * stride;
            sums += select(vec4<u32>(), input[min(at, params.vectors - 1u)], at < params.vectors);
        }
    }
    let sum = sum_workgroup_reduce_all(sums.x + sums.y + sums.z + sums.w, workgroup, invocation);
    if invocation.local_invocation_index == 0u {
        atomicAdd(&total, sum);
    }
}
