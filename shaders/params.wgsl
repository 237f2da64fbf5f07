// What a dispatch is told; `Params` in src/wgsl/params.rs is its mirror.
//
// A launch takes a run of elements that lies in one buffer binding. Its positions are counted in elements from the
// beginning of its first block, so that they fit 32 bits however long the whole sequence is.

// A selection has other meanings for some, and so have segments and differences: shaders/select/entries.wgsl, shaders/segments/segment.wgsl and
// shaders/difference/differences.wgsl say which.

struct Params {
    // 0, which no compiler can know: see `fence`.
    zero: u32,
    // The launch takes positions begin .. end. If begin is not 0, the first block goes on where the launch before ended.
    begin: u32,
    end: u32,
    // Positions below this may be loaded four at a time.
    vec_end: u32,
    // Position + base (wrapping) is the index of an element in the binding. Of two inputs these are in words, and the right one has
    // `right_base`.
    base: u32,
    // Of a scan `right_base` is the output's, in words.
    right_base: u32,
    // A block has 2^log2_block_items elements, whole rounds: what a workgroup takes.
    log2_block_items: u32,
    // Blocks of the launch, each a workgroup's.
    blocks: u32,
    // The workgroup's block.
    block: u32,
    // The launch's first block, counted from a multiple of 2^log2_span blocks, in which the launch is; and which multiple.
    first_node: u32,
    span: u32,
    log2_span: u32,
    // FLAG_*.
    flags: u32,
    // In `scratch`, in accumulators: the partials, and the state before the launch and after it.
    partials: u32,
    state_before: u32,
    state_after: u32,
    // The word of `result` that the reduction writes first.
    result_index: u32,
    // Elements of the whole sequence, 64 bits.
    len_low: u32,
    len_high: u32,
    // Of strided inputs: the byte of the binding that element 0 begins at, and from one element to the next.
    head_bytes: u32,
    stride_bytes: u32,
    // The same of the right of two inputs. Of a scan: the third and the fourth word of `initial`.
    right_head_bytes: u32,
    right_stride_bytes: u32,
    // Of words of bits: which bits of the launch's first word are the input's, and of its last one.
    first_bits: u32,
    last_bits: u32,
    // Of a scan: the words of the value that comes before all elements, if there is one.
    initial_low: u32,
    initial_high: u32,
}

// It is the last launch: its result is the result.
const FLAG_ENDS = 1u;
// A launch went before: it has left its state.
const FLAG_RESUMES = 2u;
// It is the only one, of a power of two of elements, at least 4: their tree is all there is to the order.
const FLAG_IS_TREE = 4u;
// Of a scan: results are of their own elements, too; there is an initial value.
const FLAG_INCLUSIVE = 8u;
const FLAG_HAS_INITIAL = 16u;
// A single block is all there is of the launch, which ends with it.
const FLAG_ALONE = 32u;
// Of a selection: what is not selected comes behind what is.
const FLAG_KEEPS_REST = 64u;
// Its result is the accumulator itself, as of a run that is a part of a longer sequence.
const FLAG_STORES_ACC = 128u;
// Of segments: offsets say where they begin and end.
const FLAG_HAS_OFFSETS = 256u;
// Offsets have two words; they say where segments begin, and each ends where the next one begins, the last one with the elements; the elements
// come in an order that is not theirs in memory.
const FLAG_HAS_WIDE_OFFSETS = 512u;
const FLAG_HAS_BEGINS = 1024u;
const FLAG_HAS_ORDER = 2048u;
// A chunk of chunks is sixteen in a row, of which only the total is left; or, by offsets, those that are in one leave its total alone.
const FLAG_JOINS_CHUNKS = 4096u;

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
