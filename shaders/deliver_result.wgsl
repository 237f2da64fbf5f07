// The workgroup's total is the result.
fn deliver(
    block: u32,
    value: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let total = workgroup_reduce(value, workgroup, invocation);
    if lane_index_of(workgroup, invocation) == 0u {
        result_store(total);
    }
}
