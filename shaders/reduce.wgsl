// The first pass: the workgroups share the launch's blocks.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let first_block = workgroup.workgroup_id.x * params.workgroup_blocks;
    fold_blocks(params, first_block, workgroup, invocation);
    total_done(workgroup, invocation);
}
