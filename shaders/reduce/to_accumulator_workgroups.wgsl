// The first pass of a reduction by atomics: each workgroup combines its block's total into the accumulator.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let total = block_reduce(job_of(workgroup), workgroup, invocation);
    if lane_index_of(workgroup, invocation) == 0u {
        accumulate(0u, total);
    }
}
