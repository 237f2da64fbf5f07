// The entry point of every kernel that combines through subgroups.
//
// naga gives subgroup built-ins that are members of a struct no meaning in HLSL, unless another one is a
// parameter of its own: hence `num_subgroups`, which nothing reads.
@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
    @builtin(num_subgroups) num_subgroups: u32,
) {
    kernel(workgroup, invocation);
}
