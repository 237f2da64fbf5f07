fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return sum_workgroup_reduce_all(value, workgroup, invocation);
}
