// The first pass: each workgroup reduces its block. A launch of a single block ends here; else the totals are partials, for the fold.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_load(workgroup, invocation);
    let total = block_reduce(job, workgroup, invocation);
    if (job.flags & FLAG_ALONE) != 0u {
        launch_end(job, total, true, workgroup, invocation);
        return;
    }
    let lane_index = lane_index_of(workgroup, invocation);
    if lane_index == 0u {
        scratch_store(job.partials + job.block, total);
    }
    if job.block + 1u == job.blocks {
        runs_leave(job, lane_index);
    }
}
