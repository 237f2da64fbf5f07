// The total of a workgroup of a power of two of lanes, where `op_combine` is quicker than what combines anything: it combines the lanes'
// values if all are in its range. A total is no other NaN than the canonical one.

fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let size = subgroup_size(workgroup);
    let log2_size = firstLeadingBit(size);
    let index = invocation.local_invocation_index;
    let lane = subgroup_lane(workgroup, invocation);
    let subgroup = subgroup_index(workgroup, invocation);
    var total = quick_total(value, min(size, WORKGROUP_SIZE), workgroup, invocation);
    workgroupBarrier();
    // That range is of more values than a workgroup has lanes.
    if !acc_is_safe_in_tile(value) {
        atomicStore(&out_of_range, OUT_OF_RANGE);
    }
    if lane == 0u {
        acc_store(subgroup, total);
    }
    if any_is_out_of_range() {
        range_forget(invocation);
        return op_canonical(any_total(value, workgroup, invocation));
    }
    // Each subgroup's total is a value then. `left` values are there, and after each round as many as there were subgroups of them.
    for (var left = WORKGROUP_SIZE >> log2_size; left > 1u; left >>= log2_size) {
        total = quick_total(acc_load(index & (left - 1u)), min(size, left), workgroup, invocation);
        if left > size {
            workgroupBarrier();
            if (lane == 0u) & (subgroup < (left >> log2_size)) {
                acc_store(subgroup, total);
            }
            workgroupBarrier();
        }
    }
    return total;
}

// As group_total, of values that are in range.
fn quick_total(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let lane = subgroup_lane(workgroup, invocation);
    var total = value;
    // Up to the largest subgroup.
    for (var level = 0u; level < 7u; level++) {
        if width > (1u << level) {
            total = op_combine(total, acc_of_lane(total, lane ^ (1u << level)));
        }
    }
    return total;
}
