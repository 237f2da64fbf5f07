// Reproducible: whole numbers from 1 to 16, and so sums of few bits.
fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return u32(float_workgroup_reduce_all(f32(1u + (value >> 28u)), workgroup, invocation));
}
