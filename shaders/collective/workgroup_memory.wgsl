// The same collectives through workgroup memory alone.

// Of the totals of 4, 16 and 64 lanes.
const TEAM_NODES = WORKGROUP_SIZE / 4u + WORKGROUP_SIZE / 16u + WORKGROUP_SIZE / 64u;

// The team is the workgroup.
fn team_size_of(workgroup: WorkgroupBuiltins) -> u32 {
    return WORKGROUP_SIZE;
}

fn team_id_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return 0u;
}

fn team_lane_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return invocation.local_invocation_index;
}

// A lane's four values are neighbours: they need no memory.
fn tile_index(i: u32, team_lane: u32, team_size: u32) -> u32 {
    return 4u * team_lane + i;
}

fn nodes_reduce(
    count: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let lane_index = invocation.local_invocation_index;
    var total = nodes_of_lane(count, lane_index);
    for (var left = min(count, WORKGROUP_SIZE); left > 1u; left >>= 1u) {
        // What the lanes below `left` have: neighbours combine.
        workgroupBarrier();
        if lane_index < left {
            nodes[SPARE_NODES + lane_index] = total;
        }
        workgroupBarrier();
        if lane_index < left / 2u {
            let pair = SPARE_NODES + 2u * lane_index;
            total = op_combine(nodes[pair], nodes[pair + 1u]);
        }
    }
    workgroupBarrier();
    if lane_index == 0u {
        nodes[SPARE_NODES] = total;
    }
    workgroupBarrier();
    return nodes[SPARE_NODES];
}

fn workgroup_reduce_all(
    value: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    workgroupBarrier();
    nodes[invocation.local_invocation_index] = value;
    workgroupBarrier();
    return nodes_reduce(WORKGROUP_SIZE, workgroup, invocation);
}
