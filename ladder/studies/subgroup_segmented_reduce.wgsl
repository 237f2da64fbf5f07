// One value in eight is a head.
fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return sum_subgroup_segmented_reduce(value, (value & 7u) == 0u, workgroup, invocation);
}
