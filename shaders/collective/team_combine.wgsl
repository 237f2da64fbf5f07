// Combinations between the lanes of a team, one after another. A combination of any values is long, so one loop makes all of them. They come in the order
// that team_reduce.wgsl has, and the value that is first in it stands on the left.

struct AccPair {
    left: Acc,
    right: Acc,
}

// The pairs of four values: the first two, the last two, and what has become of both.
fn quad_pair(turn: u32, values: Acc4, first: Acc, second: Acc) -> AccPair {
    var pair = AccPair(values.x, values.y);
    if turn == 1u {
        pair = AccPair(values.z, values.w);
    }
    if turn == 2u {
        pair = AccPair(first, second);
    }
    return pair;
}

// How many combinations a lane makes of its team's four rows.
@if(subgroups) fn team_steps(workgroup: WorkgroupBuiltins) -> u32 {
    return firstLeadingBit(subgroup_size_of(workgroup)) + 3u;
}

// The two values that a lane combines in a step: of its totals of four rows, of what the first step made, and of what the step before made.
@if(subgroups) fn team_pair(
    step: u32,
    rows: Acc4,
    first: Acc,
    total: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> AccPair {
    let lane = subgroup_invocation_id_of(invocation);
    let log2_size = firstLeadingBit(subgroup_size_of(workgroup));
    // Lanes exchange halves three times; then the other lanes follow, and the rows.
    var mask = max(step, 1u);
    var lower = total;
    var upper = total;
    if step == 0u {
        lower = rows.x;
        upper = rows.z;
    }
    if step == 1u {
        lower = rows.y;
        upper = rows.w;
    }
    if step == 2u {
        lower = first;
    }
    if step >= 3u {
        mask = select(1u << (step - 1u), log2_size + 3u - step, step > log2_size);
    }
    let takes_upper = (lane & mask) != 0u;
    let kept = acc_select(lower, upper, takes_upper);
    let other = acc_shuffle_xor(acc_select(upper, lower, takes_upper), mask);
    return AccPair(acc_select(kept, other, takes_upper), acc_select(other, kept, takes_upper));
}

// The same through the nodes from MAX_NODES on, with barriers.

@if(memory) fn team_steps(workgroup: WorkgroupBuiltins) -> u32 {
    return firstLeadingBit(WORKGROUP_SIZE) + 3u;
}

@if(memory) fn team_pair(
    step: u32,
    rows: Acc4,
    first: Acc,
    total: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> AccPair {
    let lane_index = invocation.local_invocation_index;
    // First a lane's own four, then two neighbours each time.
    var pair = quad_pair(step, rows, first, total);
    if step >= 3u {
        workgroupBarrier();
        nodes[MAX_NODES + lane_index] = total;
        workgroupBarrier();
        let left = MAX_NODES + ((2u * lane_index) & (WORKGROUP_SIZE - 1u));
        pair = AccPair(nodes[left], nodes[left + 1u]);
    }
    return pair;
}
