// The last of three passes, through subgroups. Each has a part of a round for itself. Lanes write their elements as soon as they know how many are
// flagged before them.

// There is one store for both kinds of elements: two of them, on two branches, took longer.
fn place_emit(job: Params, to: Target, at: u32, slot: u32, is_flagged: bool, item: vec2<u32>, last: u32) {
    // Behind all that are flagged, as many as there are before this one that are not.
    let other = to.begins.others + at - to.begin - slot;
    let is_kept = ((job.flags & FLAG_KEEPS_REST) != 0u) & (at < to.end);
    if is_flagged | is_kept {
        item_emit(job, select(other, to.begins.flagged + slot, is_flagged), at, item, Last(last, to.before));
    }
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let size = subgroup_size_of(workgroup);
    let subgroup = subgroup_id_of(invocation);
    let lane = subgroup_invocation_id_of(invocation);
    let subgroups = WORKGROUP_SIZE / size;
    let begin = block_begin_of(job);
    let end = block_end_of(job);
    let entry = entries[job.first_node + job.block];
    let to = Target(begins_of(job, entry.xy), begin, end, entry.zw);
    // Flagged elements of the block, and the position behind the last of them.
    var before = 0u;
    var last = 0u;
    var base = 0u;
    for (var round = begin; round < end; round += ROUND_ITEMS) {
        let places = places_of(round + 16u * size * subgroup, end, size, lane);
        let items = items_at(job, places);
        let flags = round_flags(job, places, items, round, workgroup, invocation);
        let ranks = ranks_of(flags, size);
        if TELLS_LENGTHS {
            let own_last = select(0u, place_at(places, 31u - countLeadingZeros(flags)) + 1u, flags != 0u);
            let subgroup_last = lanes_max(own_last, size);
            if lane == 0u {
                ends[base + subgroup] = subgroup_last;
            }
        }
        if lane == 0u {
            totals[base + subgroup] = ranks.sums.w;
        }
        workgroupBarrier();
        var slot = before;
        var last_before = last;
        for (var i = 0u; i < subgroups; i++) {
            let total = totals[base + i];
            before += total;
            slot += select(0u, total, i < subgroup);
            if TELLS_LENGTHS {
                let other_last = ends[base + i];
                last = max(last, other_last);
                last_before = max(last_before, select(0u, other_last, i < subgroup));
            }
        }
        // While lanes still look at those of this round, others may write the next one's.
        base = MAX_SUBGROUPS - base;
        round_emit(job, to, places, items, flags, ranks, slot, last_before, size, lane);
    }
    scatter_end(job, lane_index, to.begins.flagged + before, Last(last, entry.zw));
}
