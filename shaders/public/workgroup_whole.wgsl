// The total of a workgroup of a power of two of lanes.

fn any_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let size = subgroup_size(workgroup);
    let log2_size = firstLeadingBit(size);
    let index = invocation.local_invocation_index;
    let lane = subgroup_lane(workgroup, invocation);
    let subgroup = subgroup_index(workgroup, invocation);
    var total = value;
    // `left` values are there, and after each round as many as there were subgroups of them.
    for (var left = WORKGROUP_SIZE; left > 1u; left >>= log2_size) {
        total = group_total(total, min(size, left), workgroup, invocation);
        if left > size {
            workgroupBarrier();
            if (lane == 0u) & (subgroup < (left >> log2_size)) {
                acc_store(subgroup, total);
            }
            workgroupBarrier();
            total = acc_load(index & ((left >> log2_size) - 1u));
        }
    }
    return total;
}
