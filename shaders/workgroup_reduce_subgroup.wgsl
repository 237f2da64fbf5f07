// The tree of a workgroup's lanes through subgroups, whatever their size: s[l] = s[l] + s[l ^ d], d = 1, 2, 4 ... 128.
//
// The steps below the subgroup size happen within subgroups, and each leaves one value of each block in workgroup memory.
// Then every subgroup takes up all of a block's (or, where there are more of them than lanes in a subgroup, as many as
// fit) and goes on with the next steps.

var<workgroup> subgroup_accs: array<array<Acc, LANES / MIN_SUBGROUP_SIZE>, MAX_WORKGROUP_BLOCKS>;

// Combines the values of block i within subgroups. All lanes come here.
fn workgroup_keep(
    i: u32,
    value: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let size = subgroup_size_of(workgroup);
    let subgroup_invocation_id = subgroup_invocation_id_of(invocation);
    let total = subgroup_reduce(value, size, subgroup_invocation_id);
    if subgroup_invocation_id == 0u {
        subgroup_accs[i][subgroup_id_of(invocation)] = total;
    }
}

// After a barrier: lane i has the total of block i in `workgroup_total`, of as many blocks as there are.
fn workgroup_combine(
    count: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let lane_index = lane_index_of(workgroup, invocation);
    for (var i = 0u; i < count; i++) {
        let total = subgroup_accs_combine(i, workgroup, invocation);
        if lane_index == i {
            workgroup_total = total;
        }
    }
}

// Valid in every lane.
fn subgroup_accs_combine(
    i: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let size = subgroup_size_of(workgroup);
    let log2_size = firstLeadingBit(size);
    let subgroup_id = subgroup_id_of(invocation);
    let subgroup_invocation_id = subgroup_invocation_id_of(invocation);
    let lane_index = lane_index_of(workgroup, invocation);
    var total: Acc;
    // `count` values are there, and after each round as many as there were subgroups of them.
    for (var count = LANES >> log2_size; count > 1u; count >>= log2_size) {
        let taken = subgroup_accs[i][lane_index & (count - 1u)];
        total = subgroup_reduce(taken, min(size, count), subgroup_invocation_id);
        if count > size {
            workgroupBarrier();
            if subgroup_invocation_id == 0u && subgroup_id < count {
                subgroup_accs[i][subgroup_id] = total;
            }
            workgroupBarrier();
        }
    }
    return total;
}
