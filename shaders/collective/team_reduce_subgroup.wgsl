// Combines the four values of each lane of a team, pairwise in the order of `tile_index`. Valid in every lane of the team.
//
// At the first two distances lanes exchange half of their values and add up the other half, so that four rows cost three
// shuffles. Then a lane has a part of the row that its two lowest bits say, reversed: the other lanes follow, and the rows.
fn team_reduce4(
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
fn halve(lower: Acc, upper: Acc, takes_upper: bool, mask: u32) -> Acc {
    let kept = acc_select(lower, upper, takes_upper);
    let given = acc_select(upper, lower, takes_upper);
    return op_combine(kept, acc_shuffle_xor(given, mask));
}
