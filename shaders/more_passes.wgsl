// What follows a workgroup's total, if anything, is another dispatch.
fn total_done(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {}
