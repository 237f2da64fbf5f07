// A workgroup counts the elements of its block bin by bin, in its memory, and then adds what it has to the totals.

fn bin_add(job: Params, lane_index: u32, bin: u32, count: u32) {
    // Bins before the first one here are above all that are.
    let local = bin - job.first_local_bin;
    if local < job.local_bins {
        atomicAdd(&counts[count_place(job.log2_copies, local, lane_index)], count);
    } else if bin != NO_BIN {
        total_add(job, bin, count);
    }
}

fn bins_of(job: Params, first: Key, last: Key, pack: Pack) -> vec4<u32> {
    let quad = quad_unpack(pack);
    return vec4<u32>(
        bin_of(job, first, last, quad.x),
        bin_of(job, first, last, quad.y),
        bin_of(job, first, last, quad.z),
        bin_of(job, first, last, quad.w),
    );
}

// A run of a lane's elements in one bin, and how many they are: with the next four elements' bins. Only runs of whole vectors are made. They are
// added as a whole, so that lanes wait less where many elements are equal.
fn run_on(job: Params, lane_index: u32, run: vec2<u32>, bins: vec4<u32>) -> vec2<u32> {
    let are_equal = all(bins == vec4<u32>(bins.x));
    if are_equal & (bins.x == run.x) {
        return vec2<u32>(run.x, run.y + 4u);
    }
    bin_add(job, lane_index, run.x, run.y);
    if are_equal {
        return vec2<u32>(bins.x, 4u);
    }
    bin_add(job, lane_index, bins.x, 1u);
    bin_add(job, lane_index, bins.y, 1u);
    bin_add(job, lane_index, bins.z, 1u);
    bin_add(job, lane_index, bins.w, 1u);
    return vec2<u32>(NO_BIN, 0u);
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    counts_clear(job.local_bins << job.log2_copies, lane_index);
    edges_fill(job, lane_index);
    let first = edge_load(0u);
    let last = edge_load(job.bins);
    workgroupBarrier();
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, (job.block + 1u) << job.log2_block_items);
    let whole_end = min(end, job.vec_end);
    var run = vec2<u32>(NO_BIN, 0u);
    for (var round = begin; round < end; round += ROUND_ITEMS) {
        let begin_at = INDEX_STEP * (round + 4u * lane_index) + job.base;
        if round + ROUND_ITEMS <= whole_end {
            // All four are on their way at the same time.
            let pack_0 = pack_load(begin_at);
            let pack_1 = pack_load(begin_at + INDEX_STEP * ROW_ITEMS);
            let pack_2 = pack_load(begin_at + 2u * INDEX_STEP * ROW_ITEMS);
            let pack_3 = pack_load(begin_at + 3u * INDEX_STEP * ROW_ITEMS);
            run = run_on(job, lane_index, run, bins_of(job, first, last, pack_0));
            run = run_on(job, lane_index, run, bins_of(job, first, last, pack_1));
            run = run_on(job, lane_index, run, bins_of(job, first, last, pack_2));
            run = run_on(job, lane_index, run, bins_of(job, first, last, pack_3));
        } else {
            let round_end = min(end, round + ROUND_ITEMS);
            for (var row = round; row < round_end; row += ROW_ITEMS) {
                let at = row + 4u * lane_index;
                let index = INDEX_STEP * at + job.base;
                if at + 4u <= whole_end {
                    run = run_on(job, lane_index, run, bins_of(job, first, last, pack_load(index)));
                } else {
                    for (var i = 0u; i < 4u; i++) {
                        if at + i < end {
                            let value = elem_load(index + INDEX_STEP * i);
                            bin_add(job, lane_index, bin_of(job, first, last, value), 1u);
                        }
                    }
                }
            }
        }
    }
    bin_add(job, lane_index, run.x, run.y);
    workgroupBarrier();
    for (var local = lane_index; local < job.local_bins; local += WORKGROUP_SIZE) {
        let count = counts_sum(job.log2_copies, local);
        if count > 0u {
            total_add(job, job.first_local_bin + local, count);
        }
    }
}

// Few bins: a workgroup has all of their edges in its memory, and a bin has several counts.

@if(few) const LOCAL_COUNTS = 1536u;
@if(few) const LOCAL_EDGES = 1024u;

@if(few) var<workgroup> edge_keys: array<Key, LOCAL_EDGES>;

@if(few) fn edges_fill(job: Params, lane_index: u32) {
    for (var i = lane_index; i < job.bins; i += WORKGROUP_SIZE) {
        edge_keys[i] = edge_load(i);
    }
}

@if(few) fn edge_key(index: u32) -> Key {
    return edge_keys[index];
}

// Many bins: edges stay in memory that caches serve. Where bins are more than there are counts in workgroup memory, those in the middle have
// some, and the others are counted in the totals.

@if(many) fn edge_key(index: u32) -> Key {
    return edge_load(index);
}
