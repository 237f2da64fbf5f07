// The entry point of every kernel that combines through workgroup memory.
@compute @workgroup_size(256)
fn main(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    kernel(workgroup, invocation);
}
