// The total of a workgroup of any number of lanes.

@if(any) fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    workgroup_tree(value, workgroup, invocation);
    return memory_prefix(0u, WORKGROUP_SIZE, 1u << firstLeadingBit(WORKGROUP_SIZE));
}

// The total of a group of any number of lanes.

@if(group_any) fn group_total(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let node = group_tree(value, width, workgroup, invocation);
    let begin = group_begin(width, workgroup, invocation);
    return group_prefix(node, begin, group_lanes(width, invocation), width, workgroup, invocation);
}

// The same in the group's first lane.
@if(group_any) fn group_total_first(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    return group_total(value, width, workgroup, invocation);
}

// The total of a workgroup of a power of two of lanes.

@if(whole) fn any_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
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

// The total of a group in a workgroup of a power of two of lanes: half of the values meet the other half, each time.

@if(group_whole) fn group_total(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let lane = subgroup_lane(workgroup, invocation);
    var total = value;
    for (var distance = 1u; distance < min(width, WORKGROUP_SIZE); distance <<= 1u) {
        total = op_combine_any(total, acc_of_lane(total, lane ^ distance));
    }
    return total;
}

// The same in the group's first lane alone, by shuffle-down: each value comes from a lane behind.
@if(group_whole) fn group_total_first(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let lane = subgroup_lane(workgroup, invocation);
    let lanes = min(width, WORKGROUP_SIZE);
    var total = value;
    for (var distance = 1u; distance < lanes; distance <<= 1u) {
        let behind = select(lane, lane + distance, (lane & (lanes - 1u)) + distance < lanes);
        total = op_combine_any(total, acc_of_lane(total, behind));
    }
    return total;
}

// The total of a workgroup of a power of two of lanes, where nothing is quicker than what combines anything.

@if(whole_any) fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    return any_total(value, workgroup, invocation);
}

// As section whole, where a built-in combines a whole subgroup, in an order of the device's own.

@if(whole_builtin) fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
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

// The total of a workgroup of a power of two of lanes, where `op_combine` is quicker than what combines anything: it combines the lanes'
// values if all are in its range. A total is no other NaN than the canonical one.

@if(whole_quick) fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
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
@if(whole_quick) fn quick_total(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
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

// A workgroup's total as the result.

@if(outcome) fn workgroup_outcome(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    return outcome_of(workgroup_total(value, workgroup, invocation), WORKGROUP_SIZE);
}

// As section outcome: what was made quickly is no NaN, so this is not asked again.

@if(outcome_quick) fn workgroup_outcome(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    return outcome_of_words(op_finish_canonical(workgroup_total(value, workgroup, invocation)));
}
