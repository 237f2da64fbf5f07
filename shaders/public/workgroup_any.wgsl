// The total of a workgroup of any number of lanes.

fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    workgroup_tree(value, workgroup, invocation);
    return memory_prefix(0u, WORKGROUP_SIZE, 1u << firstLeadingBit(WORKGROUP_SIZE));
}
