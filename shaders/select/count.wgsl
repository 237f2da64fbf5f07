// The first of three passes: how many elements of a block are flagged, and where the last of them is.

var<workgroup> counts: array<u32, WORKGROUP_SIZE>;
// Positions behind the last flagged element, or 0.
var<workgroup> ends: array<u32, WORKGROUP_SIZE>;

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let end = block_end_of(job);
    var count = 0u;
    var last = 0u;
    for (var round = block_begin_of(job); round < end; round += ROUND_ITEMS) {
        let places = places_of(round, end, WORKGROUP_SIZE, lane_index);
        let flags = flags_of(job, places, items_at(job, places));
        if flags != 0u {
            count += countOneBits(flags);
            last = place_at(places, 31u - countLeadingZeros(flags)) + 1u;
        }
    }
    counts[lane_index] = count;
    ends[lane_index] = last;
    for (var half = WORKGROUP_SIZE / 2u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if lane_index < half {
            counts[lane_index] += counts[lane_index + half];
            ends[lane_index] = max(ends[lane_index], ends[lane_index + half]);
        }
    }
    if lane_index == 0u {
        let position = select(vec2<u32>(0u, 0u), position_of(job, ends[0]), ends[0] > 0u);
        entries[job.entries_of_blocks + job.block] = vec4<u32>(counts[0], 0u, position);
        if job.block + 1u == job.blocks {
            last_item_leave(job);
        }
    }
}
