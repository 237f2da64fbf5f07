fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return sum_subgroup_inclusive_scan(value, workgroup, invocation);
}
