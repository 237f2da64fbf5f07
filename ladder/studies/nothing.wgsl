// Nothing: what the loop around the calls takes.
fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return value;
}
