// How kernels find an element's bin.

// Bins of nearly equal width, of f32s: where an element is among them tells its bin, but for elements that are near an edge.
//
// A place is a number of steps, which are bins / 2^log2_bin_places. Of an element x it is what the bits of x * scale + offset are beyond `first_place`. The
// offset is such that these sums have all the same exponent, so that their bits count steps. Places are above those of the true
// quotient by at most `near_places`, and never below: `first_place` is as much lower. The host has made sure of it for any rounding, and for
// devices that flush subnormal numbers (src/histogram/even.rs). An element that is near an edge is compared with it, as a key.

@if(even) fn bin_of(job: Params, first: Key, last: Key, value: Elem) -> u32 {
    let key = elem_key(value);
    let scaled = fence(bitcast<f32>(value) * bitcast<f32>(job.scale));
    let sum = fence(bitcast<f32>(scaled) + bitcast<f32>(job.offset));
    let place = sum - job.first_place;
    // Of no number that is in a bin it is another one.
    var bin = min(place >> job.log2_bin_places, job.bins);
    if (place & ((1u << job.log2_bin_places) - 1u)) <= job.near_places {
        bin -= u32(key_less(key, edge_load(bin)));
    }
    // The last bin has its upper edge, too.
    bin = min(bin, job.bins - 1u);
    return select(bin, NO_BIN, key_less(key, first) | key_less(last, key));
}

// The bin of an element, among all keys of edges.

// The last one whose edge is not above it.
@if(search) fn bin_of(job: Params, first: Key, last: Key, value: Elem) -> u32 {
    let key = elem_key(value);
    var bin = 0u;
    for (var step = job.search_step; step > 0u; step >>= 1u) {
        let next = bin + step;
        // Lazy: an edge is loaded.
        if next < job.bins && !key_less(key, edge_key(next)) {
            bin = next;
        }
    }
    return select(bin, NO_BIN, key_less(key, first) | key_less(last, key));
}

// A workgroup has no edges in its memory, which counts have for themselves.

// As many as fit the least memory of a workgroup that wgpu knows, 16 352 bytes.
@if(no_edges) const LOCAL_COUNTS = 4088u;

@if(no_edges) fn edges_fill(job: Params, lane_index: u32) {}

// The number of each element's bin, or NO_BIN. Numbers take the place of totals.

@if(numbers) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let first = edge_load(0u);
    let last = edge_load(job.bins);
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, (job.block + 1u) << job.log2_block_items);
    for (var row = begin; row < end; row += WORKGROUP_SIZE) {
        let at = row + lane_index;
        if at < end {
            let value = elem_load(INDEX_STEP * at + job.base);
            atomicStore(&totals[job.result_index + at], bin_of(job, first, last, value));
        }
    }
}
