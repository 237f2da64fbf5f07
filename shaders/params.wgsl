// Parameters of a dispatch. src/wgsl/params.rs has all of them, and writes the sections of this file: `struct Params` for the kernels of each primitive, of
// which a module takes one, and `FLAG_*`.
//
// A launch takes a run of elements that lies in one buffer binding. Its positions are counted in elements from the
// beginning of its first block, so that they fit 32 bits however long the whole sequence is.

@group(0) @binding(0) var<uniform> params: Params;

// The bits of a float result, made opaque. A WGSL compiler may reorder, contract and simplify float
// operations, and real ones do; it can't see through this addition, so an operation whose result passes
// the fence keeps its place and its rounding.
fn fence(x: f32) -> u32 {
    return bitcast<u32>(x) + params.zero;
}

// 0, which compilers do not know, for a loop's bound that they should not know. It is not the fence's: Mesa's llvmpipe compiles a shader anew with the
// words that loops' bounds depend on, sees through fences then, and was seen to change the order of additions. No block has 2^256 elements.
fn nothing_of(job: Params) -> u32 {
    return job.log2_block_items >> 8u;
}
