// The first pass: the workgroups share the launch's blocks.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    fold_blocks(workgroup, invocation);
    total_done(workgroup, invocation);
}
