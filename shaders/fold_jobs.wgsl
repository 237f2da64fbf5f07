// The second pass of many reductions at once: each workgroup folds the partials of one.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    range_flag_clear(lane_index_of(workgroup, invocation));
    let job = jobs[workgroup.workgroup_id.x];
    let partials = Partials(job.first_block, job.partial_count, job.result_index);
    fold_partials(partials, workgroup, invocation);
}
