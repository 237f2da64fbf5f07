// What one dispatch is told; `Params` in src/shader.rs is its mirror.
//
// A launch folds a run of elements that lies in one buffer binding. Its positions are counted in
// elements from the start of the launch's first block, so that they fit 32 bits however long the
// whole reduction is.

// Invocations of a workgroup, the lanes of the tree.
const LANES = 256u;
// Elements of a row: four for each lane.
const ROW_ITEMS = 1024u;
// Blocks of a workgroup at most.
const MAX_WORKGROUP_BLOCKS = 4u;
// Rows are folded four at a time, one into each of a lane's four accumulators.
const ROW_GROUP_ITEMS = 4096u;

struct Params {
    // 0, which no compiler can know: see `fence`.
    zero: u32,
    // The launch folds positions begin .. end. If begin is not 0, the first block continues one
    // that the launch before suspended.
    begin: u32,
    end: u32,
    // Positions below this may be loaded four at a time.
    vec_end: u32,
    // Position + base (wrapping) is the index of a word in the binding.
    base: u32,
    // A power of two times ROW_GROUP_ITEMS.
    block_items: u32,
    // The launch's first block, counted over the whole reduction.
    first_block: u32,
    // 1: the last block is suspended, for the next launch to continue.
    suspend: u32,
    // Where `scratch` keeps the lanes of the block that the launch before suspended, and where this
    // launch puts its own, in words. Not the same place: different workgroups do the two.
    resume_offset: u32,
    suspend_offset: u32,
    // How many partials the fold finds in `scratch`.
    partial_count: u32,
    // The first word of `result` that the reduction writes.
    result_index: u32,
    // Elements of the whole reduction, 64 bits.
    len_low: u32,
    len_high: u32,
    // As `base`, for the right of two inputs.
    right_base: u32,
    // Workgroups of the launch.
    workgroups: u32,
    // Blocks of a workgroup, of the last one maybe fewer: 1 to MAX_WORKGROUP_BLOCKS. More than one only where blocks have an
    // order, and never more than 2^29 elements together.
    workgroup_blocks: u32,
}

@group(0) @binding(0) var<uniform> params: Params;

// The bits of a float result, made opaque. A WGSL compiler may reorder, contract and simplify float
// operations, and real ones do; it can't see through this xor, so an operation whose result passes
// the fence keeps its place and its rounding.
fn fence(x: f32) -> u32 {
    return bitcast<u32>(x) ^ params.zero;
}
