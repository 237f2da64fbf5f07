// The first of two passes: the last element of each block, before a difference takes its place. A lane for each block.

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let block = workgroup.workgroup_id.x * WORKGROUP_SIZE + lane_index_of(workgroup, invocation);
    if block < job.blocks {
        ends[job.partials + block] = input_item(job, block_end(job, block) - 1u);
    }
}
