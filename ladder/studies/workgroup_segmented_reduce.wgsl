// Segments of eight lanes on an average.
fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return sum_workgroup_segmented_reduce(value, (value & 7u) == 0u, workgroup, invocation);
}
