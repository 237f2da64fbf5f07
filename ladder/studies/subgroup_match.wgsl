// Keys of 8 bits.
fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return gridfold_subgroup_match(value, 8u, workgroup, invocation).x;
}
