// As section subgroups, for operators that do not commute.
@if(in_order) fn team_reduce4(
    values: Acc4,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let lane = subgroup_invocation_id_of(invocation);
    let size = subgroup_size_of(workgroup);
    let takes_upper = (lane & 1u) != 0u;
    let even = halve(values.x, values.z, takes_upper, 1u, lane);
    let odd = halve(values.y, values.w, takes_upper, 1u, lane);
    var total = halve(even, odd, (lane & 2u) != 0u, 2u, lane);
    for (var mask = 4u; mask < size; mask <<= 1u) {
        total = lanes_combine(total, total, mask, lane);
    }
    // The rows: the lower of two is the lower lane's.
    total = lanes_combine(total, total, 2u, lane);
    return lanes_combine(total, total, 1u, lane);
}

// Of two rows a lane keeps one, with which it combines what the other lane has of it.
@if(in_order) fn halve(lower: Acc, upper: Acc, takes_upper: bool, mask: u32, lane: u32) -> Acc {
    let kept = acc_select(lower, upper, takes_upper);
    let given = acc_select(upper, lower, takes_upper);
    return lanes_combine(kept, given, mask, lane);
}

// As section subgroups, through the nodes from MAX_NODES on, with barriers.
//
// Each step has memory of its own, so that none waits for what another lane still reads.
@if(memory) fn team_reduce4(
    values: Acc4,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    nodes[MAX_NODES + invocation.local_invocation_index] = acc4_reduce(values);
    var read_at = MAX_NODES;
    for (var count = WORKGROUP_SIZE / 4u; count > 1u; count >>= 2u) {
        workgroupBarrier();
        let write_at = read_at + 4u * count;
        if invocation.local_invocation_index < count {
            nodes[write_at + invocation.local_invocation_index] =
                nodes_reduce4(read_at + 4u * invocation.local_invocation_index);
        }
        read_at = write_at;
    }
    workgroupBarrier();
    return nodes_reduce4(read_at);
}

// Combines the four values of each lane of a team, pairwise in the order of `tile_index`. Valid in every lane of the team.
//
// At the first two distances lanes exchange half of their values and add up the other half, so that four rows cost three
// shuffles. Then a lane has a part of the row that its two lowest bits say, reversed: the other lanes follow, and the rows.
@if(subgroups) fn team_reduce4(
    values: Acc4,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let lane = subgroup_invocation_id_of(invocation);
    let size = subgroup_size_of(workgroup);
    let takes_upper = (lane & 1u) != 0u;
    let even = halve(values.x, values.z, takes_upper, 1u);
    let odd = halve(values.y, values.w, takes_upper, 1u);
    var total = halve(even, odd, (lane & 2u) != 0u, 2u);
    for (var mask = 4u; mask < size; mask <<= 1u) {
        total = op_combine(total, acc_shuffle_xor(total, mask));
    }
    total = op_combine(total, acc_shuffle_xor(total, 2u));
    return op_combine(total, acc_shuffle_xor(total, 1u));
}

// Of two rows a lane keeps one, to which it adds what the other lane has of it.
@if(subgroups) fn halve(lower: Acc, upper: Acc, takes_upper: bool, mask: u32) -> Acc {
    let kept = acc_select(lower, upper, takes_upper);
    let given = acc_select(upper, lower, takes_upper);
    return op_combine(kept, acc_shuffle_xor(given, mask));
}
