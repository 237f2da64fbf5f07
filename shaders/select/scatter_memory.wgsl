// The last of three passes, through workgroup memory.

// A row's positions: those of flagged elements, and then the others.
var<workgroup> staged: array<u32, ROW_ITEMS>;

fn item_at(job: Params, at: u32) -> vec2<u32> {
    if ITEM_WORDS == 0u {
        return vec2<u32>();
    }
    return vec2<u32>(item_word(job, at, 0u), item_word(job, at, ITEM_WORDS - 1u));
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let keeps_rest = (job.flags & FLAG_KEEPS_REST) != 0u;
    let begin = block_begin_of(job);
    let end = block_end_of(job);
    let entry = entries[job.first_node + job.block];
    let begins = begins_of(job, entry.xy);
    // Flagged elements of the block, and the position behind the last of them.
    var before = 0u;
    var last = 0u;
    for (var round = begin; round < end; round += ROUND_ITEMS) {
        let places = places_of(round, end, WORKGROUP_SIZE, lane_index);
        let flags = flags_of(job, places, items_at(job, places));
        let own = flags_count(flags);
        let from_half = ranks_sum(own, lane_index);
        let rank = ranks[from_half + lane_index] - own;
        let counts = ranks[from_half + WORKGROUP_SIZE - 1u];
        for (var row = 0u; row < 4u; row++) {
            let count = count_of_row(counts, row);
            let row_begin = round + row * ROW_ITEMS;
            var slot = count_of_row(rank, row);
            for (var i = 0u; i < 4u; i++) {
                let place = 4u * lane_index + i;
                let is_flagged = ((flags >> (4u * row + i)) & 1u) != 0u;
                staged[select(count + place - slot, slot, is_flagged)] = row_begin + place;
                slot += select(0u, 1u, is_flagged);
            }
            workgroupBarrier();
            for (var i = 0u; i < 4u; i++) {
                let place = i * WORKGROUP_SIZE + lane_index;
                let at = staged[place];
                if place < count {
                    var of_block = last;
                    if place > 0u {
                        of_block = staged[place - 1u] + 1u;
                    }
                    let index = begins.flagged + before + place;
                    item_emit(job, index, at, item_at(job, at), Last(of_block, entry.zw));
                } else if keeps_rest & (at < end) {
                    // Behind all that are flagged, as many as there are before this one that are not.
                    let others = row_begin - begin - before + place - count;
                    item_emit(job, begins.others + others, at, item_at(job, at), Last(last, entry.zw));
                }
            }
            if count > 0u {
                last = staged[count - 1u] + 1u;
            }
            before += count;
            workgroupBarrier();
        }
    }
    scatter_end(job, lane_index, begins.flagged + before, Last(last, entry.zw));
}
