// What a collective costs: a call again and again, each of which needs the one before. `call` is in the file of the collective.

struct Params {
    // 0, for sums of floats.
    zero: u32,
    rounds: u32,
    workgroups: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> total: atomic<u32>;

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    var value = (invocation.local_invocation_index * 2654435761u) ^ params.zero;
    for (var round = 0u; round < params.rounds; round++) {
        let result = call(value + round, workgroup, invocation);
        value = result * 2246822519u + invocation.local_invocation_index * 40503u;
    }
    // Of all lanes of all workgroups, which do the same.
    atomicAdd(&total, value);
}
