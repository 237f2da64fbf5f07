// As in workgroup_whole.wgsl, where a built-in combines a whole subgroup, in an order of the device's own.

fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let size = subgroup_size(workgroup);
    let log2_size = firstLeadingBit(size);
    let index = invocation.local_invocation_index;
    let lane = subgroup_lane(workgroup, invocation);
    let subgroup = subgroup_index(workgroup, invocation);
    var total = op_subgroup(value);
    for (var left = WORKGROUP_SIZE >> log2_size; left > 1u; left >>= log2_size) {
        workgroupBarrier();
        if (lane == 0u) & (subgroup < left) {
            acc_store(subgroup, total);
        }
        workgroupBarrier();
        total = op_identity();
        if lane < left {
            total = acc_load(index & (left - 1u));
        }
        total = op_subgroup(total);
    }
    return total;
}
