// `workgroup_reduce` through subgroups, whatever their size.

var<workgroup> subgroup_accs: array<Acc, LANES / MIN_SUBGROUP_SIZE>;

// Combines the lanes' values by s[l] = s[l] + s[l ^ d], d = 1, 2, 4 ... 128, into `workgroup_total` of every
// lane. Whether all of them are in range: else the total means nothing.
//
// The steps below the subgroup size happen within subgroups. Then each subgroup leaves one value
// in workgroup memory, and every subgroup takes up all of them (or, where there are more of them
// than lanes in a subgroup, as many as fit) and goes on with the next steps.
fn workgroup_reduce(
    value: Acc,
    is_safe: bool,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> bool {
    let size = subgroup_size_of(workgroup);
    let log2_size = firstLeadingBit(size);
    let subgroup_id = subgroup_id_of(invocation);
    let subgroup_invocation_id = subgroup_invocation_id_of(invocation);
    let lane_index = lane_index_of(workgroup, invocation);
    var total = subgroup_reduce(value, size, subgroup_invocation_id);
    var in_range = true;
    for (var count = LANES >> log2_size; count > 1u; count >>= log2_size) {
        workgroupBarrier();
        if subgroup_invocation_id == 0u && subgroup_id < count {
            subgroup_accs[subgroup_id] = total;
        }
        range_flag_note(is_safe);
        in_range = range_flag_barrier();
        let taken = subgroup_accs[lane_index & (count - 1u)];
        total = subgroup_reduce(taken, min(size, count), subgroup_invocation_id);
    }
    workgroup_total = total;
    return in_range;
}
