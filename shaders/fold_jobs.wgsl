// The second pass of many reductions at once: each workgroup folds the partials of one.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    range_flag_clear(lane_index_of(workgroup, invocation));
    let i = workgroup.workgroup_id.x;
    let partials = Partials(jobs[i].first_block, jobs[i].partial_count, jobs[i].result_index);
    fold_partials(partials, workgroup, invocation);
}
