// The total of a group in a workgroup of a power of two of lanes: half of the values meet the other half, each time.

fn group_total(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let lane = subgroup_lane(workgroup, invocation);
    var total = value;
    for (var distance = 1u; distance < min(width, WORKGROUP_SIZE); distance <<= 1u) {
        total = op_combine_any(total, acc_of_lane(total, lane ^ distance));
    }
    return total;
}

// The same in the group's first lane alone, by shuffle-down: each value comes from a lane behind.
fn group_total_first(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let lane = subgroup_lane(workgroup, invocation);
    let lanes = min(width, WORKGROUP_SIZE);
    var total = value;
    for (var distance = 1u; distance < lanes; distance <<= 1u) {
        let behind = select(lane, lane + distance, (lane & (lanes - 1u)) + distance < lanes);
        total = op_combine_any(total, acc_of_lane(total, behind));
    }
    return total;
}
