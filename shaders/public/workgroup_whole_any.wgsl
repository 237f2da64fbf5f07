// The total of a workgroup of a power of two of lanes, where nothing is quicker than what combines anything.

fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    return any_total(value, workgroup, invocation);
}
