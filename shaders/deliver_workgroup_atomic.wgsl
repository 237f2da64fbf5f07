// Each workgroup combines its total into the accumulator, in whatever order they come.
fn deliver(
    block: u32,
    value: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let total = workgroup_reduce(value, workgroup, invocation);
    if lane_index_of(workgroup, invocation) == 0u {
        accumulate(total);
    }
}
