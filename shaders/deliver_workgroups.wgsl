// Each workgroup delivers its total.
fn deliver(
    block: u32,
    value: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let total = workgroup_reduce(value, workgroup, invocation);
    if lane_index_of(workgroup, invocation) == 0u {
        total_store(block, total);
    }
}
