// For operators that the device's arithmetic is always right for.

fn unsafe_tiles_clear(lane_index: u32) {}

fn unsafe_tile_note(tile: u32, range: Range) {}

fn unsafe_tiles_combine(
    job: Params,
    rounds: Rounds,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {}
