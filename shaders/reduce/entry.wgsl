// The entry point of every kernel that combines through workgroup memory.
@if(memory) @compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    kernel(workgroup, invocation);
}

// The entry point of every kernel that combines through subgroups.
//
// naga gives subgroup built-ins that are members of a struct no meaning in HLSL, unless another one is a
// parameter of its own: hence `num_subgroups`, which nothing reads.
@if(subgroups) @compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
    @builtin(num_subgroups) num_subgroups: u32,
) {
    kernel(workgroup, invocation);
}
