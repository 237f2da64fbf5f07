// Teams of a workgroup, and its totals.

// An invocation's place, in kernels without subgroups.

@if(builtins) struct WorkgroupBuiltins {
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
}

@if(builtins) struct InvocationBuiltins {
    @builtin(local_invocation_index) local_invocation_index: u32,
}

@if(builtins) fn lane_index_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return invocation.local_invocation_index;
}

// The same collectives through workgroup memory alone.

// Of the totals of 4, 16 and 64 lanes.
@if(memory) const TEAM_NODES = WORKGROUP_SIZE / 4u + WORKGROUP_SIZE / 16u + WORKGROUP_SIZE / 64u;

// The team is the workgroup.
@if(memory) fn team_size_of(workgroup: WorkgroupBuiltins) -> u32 {
    return WORKGROUP_SIZE;
}

@if(memory) fn team_id_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return 0u;
}

@if(memory) fn team_lane_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return invocation.local_invocation_index;
}

// A lane's four values are neighbours: they need no memory.
@if(memory) fn tile_index(i: u32, team_lane: u32, team_size: u32) -> u32 {
    return 4u * team_lane + i;
}

@if(memory) fn nodes_reduce(
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

@if(memory) fn workgroup_reduce_all(
    value: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    workgroupBarrier();
    nodes[invocation.local_invocation_index] = value;
    workgroupBarrier();
    return nodes_reduce(WORKGROUP_SIZE, workgroup, invocation);
}

// Collectives of a workgroup through subgroups, of any size from 4 to 128, and workgroup memory between them.

// Of the four rows of a round.
@if(subgroups) const TEAM_NODES = 4u;

// Lanes that fold a *tile* together, without a barrier: those of a subgroup.
@if(subgroups) fn team_size_of(workgroup: WorkgroupBuiltins) -> u32 {
    return subgroup_size_of(workgroup);
}

@if(subgroups) fn team_id_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return subgroup_id_of(invocation);
}

@if(subgroups) fn team_lane_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return subgroup_invocation_id_of(invocation);
}

// Which value of a tile is the i-th of a lane's four: neighbouring lanes have neighbouring ones.
@if(subgroups) fn tile_index(i: u32, team_lane: u32, team_size: u32) -> u32 {
    return i * team_size + team_lane;
}

// Combines the first `count` nodes, a power of two, pairwise. Valid in every lane. After a barrier; it has others where
// there are more nodes than lanes in a subgroup, and uses those from SPARE_NODES on.
@if(subgroups) fn nodes_reduce(
    count: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let size = subgroup_size_of(workgroup);
    let log2_size = firstLeadingBit(size);
    let lane_index = lane_index_of(workgroup, invocation);
    let subgroup_invocation_id = subgroup_invocation_id_of(invocation);
    let subgroup_id = subgroup_id_of(invocation);
    var total = nodes_of_lane(count, lane_index);
    // `left` values are there, and after each round as many as there were subgroups of them.
    for (var left = min(count, WORKGROUP_SIZE); left > 1u; left >>= log2_size) {
        total = subgroup_reduce_all(total, min(size, left), subgroup_invocation_id);
        if left > size {
            workgroupBarrier();
            if (subgroup_invocation_id == 0u) & (subgroup_id < (left >> log2_size)) {
                nodes[SPARE_NODES + subgroup_id] = total;
            }
            workgroupBarrier();
            total = nodes[SPARE_NODES + (lane_index & ((left >> log2_size) - 1u))];
        }
    }
    return total;
}

// Combines a value of each lane, pairwise. Valid in every lane. It has barriers, and uses the nodes.
@if(subgroups) fn workgroup_reduce_all(
    value: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let size = subgroup_size_of(workgroup);
    let subgroup_invocation_id = subgroup_invocation_id_of(invocation);
    let total = subgroup_reduce_all(value, size, subgroup_invocation_id);
    workgroupBarrier();
    if subgroup_invocation_id == 0u {
        nodes[subgroup_id_of(invocation)] = total;
    }
    workgroupBarrier();
    return nodes_reduce(WORKGROUP_SIZE >> firstLeadingBit(size), workgroup, invocation);
}
