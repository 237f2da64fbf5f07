fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return gridfold_u32_subgroup_shuffle_xor(value, 1u, workgroup, invocation);
}
