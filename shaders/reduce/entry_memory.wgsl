// The entry point of every kernel that combines through workgroup memory.
@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    kernel(workgroup, invocation);
}
