// The total of a group of any number of lanes.

fn group_total(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let node = group_tree(value, width, workgroup, invocation);
    let begin = group_begin(width, workgroup, invocation);
    return group_prefix(node, begin, group_lanes(width, invocation), width, workgroup, invocation);
}

// The same in the group's first lane.
fn group_total_first(value: Acc, width: u32, workgroup: Workgroup, invocation: Invocation) -> Acc {
    return group_total(value, width, workgroup, invocation);
}
