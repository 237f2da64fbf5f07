// A launch of a single block: its total is all there is.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    launch_end(job, block_reduce(job, workgroup, invocation), true, workgroup, invocation);
}
