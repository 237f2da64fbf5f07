// As team_reduce_subgroup.wgsl, for operators that do not commute.
fn team_reduce4(
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
fn halve(lower: Acc, upper: Acc, takes_upper: bool, mask: u32, lane: u32) -> Acc {
    let kept = acc_select(lower, upper, takes_upper);
    let given = acc_select(upper, lower, takes_upper);
    return lanes_combine(kept, given, mask, lane);
}
