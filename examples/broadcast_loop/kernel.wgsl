// Every lane's value to all lanes of its subgroup, one after another: each lane counts those that come before its own, and so the subgroup
// is sorted.

struct Params {
    len: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> sorted: array<u32>;
// How many lanes a subgroup has.
@group(0) @binding(3) var<storage, read_write> size: array<u32>;

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn sort(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let index = workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE + invocation.local_invocation_index;
    // Beyond the end are the largest, which stay there.
    var mine = 0xffffffffu;
    if index < params.len {
        mine = values[index];
    }
    let own = gridfold_subgroup_lane(workgroup, invocation);
    let lanes = gridfold_subgroup_lanes(workgroup, invocation);
    var rank = 0u;
    // All subgroups go round as often, also one that the workgroup ends in: barriers may stand in the loop.
    let rounds = gridfold_subgroup_size(workgroup);
    for (var lane = 0u; lane < rounds; lane++) {
        let other = gridfold_u32_subgroup_broadcast(mine, lane, workgroup, invocation);
        if lane < lanes && (other < mine || (other == mine && lane < own)) {
            rank++;
        }
    }
    let place = index - own + rank;
    if place < params.len {
        sorted[place] = mine;
    }
    if index == 0u {
        size[0] = rounds;
    }
}
