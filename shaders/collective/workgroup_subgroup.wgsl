// Collectives of a workgroup through subgroups, of any size from 4 to 128, and workgroup memory between them.

// Of the four rows of a round.
const TEAM_NODES = 4u;

// Lanes that fold a *tile* together, without a barrier: those of a subgroup.
fn team_size_of(workgroup: WorkgroupBuiltins) -> u32 {
    return subgroup_size_of(workgroup);
}

fn team_id_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return subgroup_id_of(invocation);
}

fn team_lane_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return subgroup_invocation_id_of(invocation);
}

// Which value of a tile is the i-th of a lane's four: neighbouring lanes have neighbouring ones.
fn tile_index(i: u32, team_lane: u32, team_size: u32) -> u32 {
    return i * team_size + team_lane;
}

// Combines the first `count` nodes, a power of two, pairwise. Valid in every lane. After a barrier; it has others where
// there are more nodes than lanes in a subgroup, and uses those from SPARE_NODES on.
fn nodes_reduce(
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
fn workgroup_reduce_all(
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
