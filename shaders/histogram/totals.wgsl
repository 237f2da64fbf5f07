// What kernels that count have together: counts in workgroup memory, the totals of bins, and the keys of their edges.
//
// Elements are compared with edges as keys, which are integers in the order of the elements. -0 and NaNs need no care: of an edge that is 0
// the host has given the key that makes both zeros equal, and the keys of NaNs are beyond those of the infinities.
//
// Key i is that of the least element of bin i or a later one, and behind them all is the key of the largest element of any bin.

@group(0) @binding(4) var<storage, read_write> totals: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read> edge_words: array<u32>;

var<workgroup> counts: array<atomic<u32>, LOCAL_COUNTS>;

// No bin has this number.
const NO_BIN = 0xffffffffu;

// The key of this number. Its only word may be its first and its last.
fn edge_load(index: u32) -> Key {
    let word = KEY_WORDS * index;
    return key_of_words(edge_words[word], edge_words[word + KEY_WORDS - 1u]);
}

// Adds to a total. Of one of two words the low one is first, and its carries go to the other.
fn total_add(job: Params, bin: u32, count: u32) {
    let word = job.result_index + job.count_words * bin;
    let before = atomicAdd(&totals[word], count);
    if (job.count_words == 2u) & (before + count < before) {
        atomicAdd(&totals[word + 1u], 1u);
    }
}

fn counts_clear(len: u32, lane_index: u32) {
    for (var i = lane_index; i < len; i += WORKGROUP_SIZE) {
        atomicStore(&counts[i], 0u);
    }
}

// Lanes that are next to each other take turns among the 2^log2_copies counts of a bin: so fewer of them wait for one another.
fn count_place(log2_copies: u32, local: u32, lane_index: u32) -> u32 {
    return (local << log2_copies) + (lane_index & ((1u << log2_copies) - 1u));
}

// All counts of a bin. Each lane begins with another one, so that lanes load from all banks of the memory.
fn counts_sum(log2_copies: u32, local: u32) -> u32 {
    var count = 0u;
    for (var copy = 0u; copy < (1u << log2_copies); copy++) {
        count += atomicLoad(&counts[count_place(log2_copies, local, local + copy)]);
    }
    return count;
}

// Before all launches: no bin has any elements. A block is of words of the output.

@if(clear) @group(0) @binding(4) var<storage, read_write> totals: array<u32>;

@if(clear) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, (job.block + 1u) << job.log2_block_items);
    for (var row = begin; row < end; row += WORKGROUP_SIZE) {
        let word = row + lane_index;
        if word < end {
            totals[job.result_index + word] = 0u;
        }
    }
}
