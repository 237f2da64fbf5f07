// The second pass: a workgroup folds the partials of its job.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_load(workgroup, invocation);
    let lane_index = lane_index_of(workgroup, invocation);
    unsafe_clear(lane_index);
    runs_clear(job, lane_index);
    workgroupBarrier();
    launch_end(job, op_identity(), false, workgroup, invocation);
}
