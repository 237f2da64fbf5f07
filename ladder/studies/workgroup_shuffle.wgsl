// From a lane without a pattern.
fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return gridfold_u32_workgroup_shuffle(value, value % gridfold_WORKGROUP_SIZE, workgroup, invocation);
}
