// A workgroup counts the elements of its block bin by bin, in its memory, and then adds what it has to the totals.
//
// Elements are compared with edges as keys, which are integers in the order of the elements. -0 and NaNs need no care: of an edge that is 0
// the host has given the key that makes both zeros equal, and the keys of NaNs are beyond those of the infinities.
//
// Of the parameters `initial_low` is how many bins have edges here, and `state_before` the largest power of two below that number, or 0. Key i
// is that of the least element of bin i or a later one, and behind them all is the key of the largest element of any bin. `span` bins from
// `first_node` on have counts in workgroup memory, 2^log2_span each. `partials` is how many words a total has.

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

// The bin of an element: the last one whose edge is not above it.
fn bin_of(job: Params, first: Key, last: Key, value: Elem) -> u32 {
    let key = elem_key(value);
    var bin = 0u;
    for (var step = job.state_before; step > 0u; step >>= 1u) {
        let next = bin + step;
        if next < job.initial_low && !key_less(key, edge_key(next)) {
            bin = next;
        }
    }
    return select(bin, NO_BIN, key_less(key, first) || key_less(last, key));
}

// Adds to a total. Of one of two words the low one is first, and its carries go to the other.
fn total_add(job: Params, bin: u32, count: u32) {
    let word = job.result_index + job.partials * bin;
    let before = atomicAdd(&totals[word], count);
    if job.partials == 2u && before + count < before {
        atomicAdd(&totals[word + 1u], 1u);
    }
}

// Lanes that are next to each other take turns among the counts of a bin: so fewer of them wait for one another.
fn count_place(job: Params, local: u32, lane_index: u32) -> u32 {
    return (local << job.log2_span) + (lane_index & ((1u << job.log2_span) - 1u));
}

fn bin_add(job: Params, lane_index: u32, bin: u32, count: u32) {
    // Bins before the first one here are above all that are.
    let local = bin - job.first_node;
    if local < job.span {
        atomicAdd(&counts[count_place(job, local, lane_index)], count);
    } else if bin != NO_BIN {
        total_add(job, bin, count);
    }
}

// A run of a lane's elements in one bin, and how many they are: with the next element's bin. Runs are added as a whole, so that lanes wait less
// where many elements are equal.
fn run_on(job: Params, lane_index: u32, run: vec2<u32>, bin: u32) -> vec2<u32> {
    if bin == run.x {
        return vec2<u32>(bin, run.y + 1u);
    }
    bin_add(job, lane_index, run.x, run.y);
    return vec2<u32>(bin, 1u);
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    for (var i = lane_index; i < (job.span << job.log2_span); i += WORKGROUP_SIZE) {
        atomicStore(&counts[i], 0u);
    }
    edges_fill(job, lane_index);
    let first = edge_load(0u);
    let last = edge_load(job.initial_low);
    workgroupBarrier();
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, (job.block + 1u) << job.log2_block_items);
    let whole_end = min(end, job.vec_end);
    var run = vec2<u32>(NO_BIN, 0u);
    for (var row = begin; row < end; row += ROW_ITEMS) {
        let at = row + 4u * lane_index;
        let index = INDEX_STEP * at + job.base;
        if at + 4u <= whole_end {
            let quad = quad_unpack(pack_load(index));
            run = run_on(job, lane_index, run, bin_of(job, first, last, quad.x));
            run = run_on(job, lane_index, run, bin_of(job, first, last, quad.y));
            run = run_on(job, lane_index, run, bin_of(job, first, last, quad.z));
            run = run_on(job, lane_index, run, bin_of(job, first, last, quad.w));
        } else {
            for (var i = 0u; i < 4u; i++) {
                if at + i < end {
                    let value = elem_load(index + INDEX_STEP * i);
                    run = run_on(job, lane_index, run, bin_of(job, first, last, value));
                }
            }
        }
    }
    bin_add(job, lane_index, run.x, run.y);
    workgroupBarrier();
    for (var local = lane_index; local < job.span; local += WORKGROUP_SIZE) {
        var count = 0u;
        for (var copy = 0u; copy < (1u << job.log2_span); copy++) {
            count += atomicLoad(&counts[count_place(job, local, copy)]);
        }
        if count > 0u {
            total_add(job, job.first_node + local, count);
        }
    }
}
