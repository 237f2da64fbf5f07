// The first pass of many reductions at once: each workgroup has a job of its own, some blocks of one of them.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    fold_blocks(workgroup, invocation);
}
