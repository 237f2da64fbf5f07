// What the dispatches of a reduction, a scan, a selection, differences, a histogram or segments are told where a word in memory says how many elements there are: the parameters that a plan of as many would
// have, and how many workgroups. A lane for each dispatch. Of segments it is their number, and they have as many elements in any case.
//
// Slots of 64 words. Of a dispatch first the words of its `Params`, as they are for the most elements; then, from word 32 on, the first
// element of its launch and the one behind the last one, of 64 bits each, whether it has workgroups for its blocks, whose it is: IS_OF_*, or 0; and
// of what is told as a selection's is, the logarithm of the blocks that a workgroup takes.
@group(0) @binding(2) var<storage, read> planned: array<u32>;
@group(0) @binding(6) var<storage, read> count: array<u32>;

// The same slots, with workgroups from word 32 on.
@group(0) @binding(4) var<storage, read_write> told: array<u32>;

const SLOT_WORDS = 64u;
const GRID = 32u;
// Whose a dispatch is: a scan's, or that of segments' chunks, or that of their results; a selection's, or the one in the middle, which has no elements,
// or its only one, which has a workgroup in any case.
const IS_OF_SCAN = 1u;
const IS_OF_CHUNKS = 2u;
const IS_OF_SEGMENTS = 3u;
const IS_OF_SELECTION = 4u;
const IS_OF_TOTALS = 5u;
const IS_OF_SINGLE_PASS = 6u;
// The first pass of a scan, which is a reduction's.
const IS_OF_SCAN_TOTALS = 7u;

fn is_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return (a.y < b.y) | ((a.y == b.y) & (a.x < b.x));
}

// The number of elements: the most there can be, if the count is higher.
fn count_load() -> vec2<u32> {
    let most = vec2<u32>(params.most_low, params.most_high);
    var found = vec2<u32>(count[params.count_word], 0u);
    if params.count_bytes == 8u {
        found.y = count[params.count_word + 1u];
    }
    return select(most, found, is_less(found, most));
}

// What a launch has of so many elements.
struct Launch {
    is_first: bool,
    // None comes behind it.
    ends: bool,
    // Less than 2^32.
    items: u32,
    blocks: u32,
}

fn launch_of(slot: u32, len: vec2<u32>) -> Launch {
    let first = slot * SLOT_WORDS;
    let begin = vec2<u32>(planned[first + GRID], planned[first + GRID + 1u]);
    let end = vec2<u32>(planned[first + GRID + 2u], planned[first + GRID + 3u]);
    let ends = !is_less(end, len);
    var items = end.x - begin.x;
    if ends {
        items = select(0u, len.x - begin.x, is_less(begin, len));
    }
    let log2_block_items = planned[first + PARAM_LOG2_BLOCK_ITEMS];
    let behind = planned[first + PARAM_BEGIN] + items;
    let blocks = (behind + (1u << log2_block_items) - 1u) >> log2_block_items;
    return Launch(all(begin == vec2<u32>()), ends, items, select(0u, blocks, items > 0u));
}

fn params_copy(first: u32) {
    for (var word = 0u; word < PARAM_WORDS; word++) {
        told[first + word] = planned[first + word];
    }
}

fn grid_write(first: u32, workgroups: u32) {
    told[first + GRID] = workgroups;
    told[first + GRID + 1u] = 1u;
    told[first + GRID + 2u] = 1u;
}

fn slot_write(slot: u32, len: vec2<u32>) {
    let first = slot * SLOT_WORDS;
    let launch = launch_of(slot, len);
    let is_of_blocks = planned[first + GRID + 4u] != 0u;
    let whose = planned[first + GRID + 5u];
    let is_scan = (whose == IS_OF_SCAN) | (whose == IS_OF_SCAN_TOTALS);
    let end = planned[first + PARAM_BEGIN] + launch.items;
    // The smallest span that the launch is in.
    let first_block = (planned[first + REDUCTION_SPAN] << planned[first + REDUCTION_LOG2_SPAN])
        + planned[first + REDUCTION_FIRST_NODE];
    let last_block = first_block + max(launch.blocks, 1u) - 1u;
    let differing = first_block ^ last_block;
    let log2_span = 32u - countLeadingZeros(differing);
    var flags = planned[first + PARAM_FLAGS] & ~(FLAG_ENDS | FLAG_IS_TREE);
    if launch.ends {
        flags |= FLAG_ENDS;
    }
    let is_power_of_two = countOneBits(len.x) + countOneBits(len.y) == 1u;
    if !is_scan & launch.ends & launch.is_first & is_power_of_two & !is_less(len, vec2<u32>(4u, 0u)) {
        flags |= FLAG_IS_TREE;
    }
    params_copy(first);
    told[first + PARAM_END] = end;
    told[first + PARAM_VEC_END] = min(planned[first + PARAM_VEC_END], end);
    told[first + PARAM_BLOCKS] = launch.blocks;
    // Scans have no spans, and no length.
    if !is_scan {
        told[first + REDUCTION_FIRST_NODE] = first_block & ((1u << log2_span) - 1u);
        told[first + REDUCTION_SPAN] = first_block >> log2_span;
        told[first + REDUCTION_LOG2_SPAN] = log2_span;
        told[first + REDUCTION_LEN_LOW] = len.x;
        told[first + REDUCTION_LEN_HIGH] = len.y;
    }
    told[first + PARAM_FLAGS] = flags;
    if end != planned[first + PARAM_END] {
        told[first + select(REDUCTION_LAST_BITS, SCAN_LAST_BITS, whose == IS_OF_SCAN)] = 0xffffffffu;
    }
    // Of no elements the fold of the first launch makes the result. A scan of them has none.
    let folds = select(0u, 1u, (launch.items > 0u) | (launch.is_first & !is_scan));
    grid_write(first, select(folds, launch.blocks, is_of_blocks));
}

// Entries and outputs of a selection are where they are planned.
fn slot_write_selection(slot: u32, len: vec2<u32>, least_workgroups: u32) {
    let first = slot * SLOT_WORDS;
    let launch = launch_of(slot, len);
    params_copy(first);
    told[first + PARAM_END] = launch.items;
    told[first + PARAM_BLOCKS] = launch.blocks;
    told[first + PARAM_FLAGS] = (planned[first + PARAM_FLAGS] & ~FLAG_ENDS) | select(0u, FLAG_ENDS, launch.ends);
    let log2_blocks = planned[first + GRID + 6u];
    let workgroups = (launch.blocks + (1u << log2_blocks) - 1u) >> log2_blocks;
    grid_write(first, max(workgroups, least_workgroups));
}

// The blocks of all launches that are counted before. Those of a launch that has less than was planned are the last ones.
fn slot_write_totals(slot: u32, len: vec2<u32>) {
    let first = slot * SLOT_WORDS;
    var blocks = 0u;
    for (var before = 0u; before < params.dispatches; before++) {
        if before < slot {
            blocks += launch_of(before, len).blocks;
        }
    }
    params_copy(first);
    told[first + PARAM_BLOCKS] = blocks;
    grid_write(first, 1u);
}

// Chunks are as many as ever. Results are as many as segments.
fn slot_write_segments(slot: u32, segments: u32, is_of_chunks: bool) {
    let first = slot * SLOT_WORDS;
    params_copy(first);
    told[first + SEGMENTS_SEGMENTS] = segments;
    var blocks = planned[first + PARAM_BLOCKS];
    if !is_of_chunks {
        let log2_block_items = planned[first + PARAM_LOG2_BLOCK_ITEMS];
        blocks = (segments + (1u << log2_block_items) - 1u) >> log2_block_items;
        told[first + PARAM_END] = segments;
        told[first + PARAM_BLOCKS] = blocks;
    }
    grid_write(first, blocks);
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let len = count_load();
    for (var slot = lane_index_of(workgroup, invocation); slot < params.dispatches; slot += WORKGROUP_SIZE) {
        let whose = planned[slot * SLOT_WORDS + GRID + 5u];
        switch whose {
            case IS_OF_CHUNKS, IS_OF_SEGMENTS: {
                slot_write_segments(slot, len.x, whose == IS_OF_CHUNKS);
            }
            case IS_OF_SELECTION, IS_OF_SINGLE_PASS: {
                slot_write_selection(slot, len, select(0u, 1u, whose == IS_OF_SINGLE_PASS));
            }
            case IS_OF_TOTALS: {
                slot_write_totals(slot, len);
            }
            default: {
                slot_write(slot, len);
            }
        }
    }
}
