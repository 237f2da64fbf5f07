// Tiles of four lanes.
fn call(value: u32, workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) -> u32 {
    return sum_tile_reduce_all(value, 4u, workgroup, invocation);
}
