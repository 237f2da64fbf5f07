// The first pass of three inputs, where there is no binding for a result: each workgroup writes its block's total, for the fold.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let total = block_reduce(job, workgroup, invocation);
    let lane_index = lane_index_of(workgroup, invocation);
    if lane_index == 0u {
        scratch_store(job.partials + job.block, total);
    }
    if job.block + 1u == job.blocks {
        runs_leave(job, lane_index);
    }
}
