fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return sum_workgroup_inclusive_scan(value, workgroup, invocation);
}
