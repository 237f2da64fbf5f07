// Each workgroup delivers its total, if all its lanes' values are in range: true if it did.
fn deliver(
    block: u32,
    value: Acc,
    is_safe: bool,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> bool {
    let in_range = workgroup_reduce(value, is_safe, workgroup, invocation);
    if in_range && lane_index_of(workgroup, invocation) == 0u {
        total_store(block, workgroup_total);
    }
    return in_range;
}
