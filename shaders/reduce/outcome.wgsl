// First passes that end with a block's total elsewhere than in the result: among partials, or in the accumulator.

// The first pass of three inputs, where there is no binding for a result: each workgroup writes its block's total, for the fold.
@if(partials) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
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

// The first pass of a reduction by atomics: each subgroup combines its total into the accumulator, without workgroup memory
// and barriers.
@if(accumulator_subgroups) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let value = lane_reduce(job_of(workgroup), workgroup, invocation);
    let subgroup_invocation_id = subgroup_invocation_id_of(invocation);
    let size = subgroup_size_of(workgroup);
    let total = subgroup_reduce_all(value, size, subgroup_invocation_id);
    if subgroup_invocation_id == 0u {
        accumulate(0u, total);
    }
}

// The first pass of a reduction by atomics: each workgroup combines its block's total into the accumulator.
@if(accumulator_workgroups) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let total = block_reduce(job_of(workgroup), workgroup, invocation);
    if lane_index_of(workgroup, invocation) == 0u {
        accumulate(0u, total);
    }
}
