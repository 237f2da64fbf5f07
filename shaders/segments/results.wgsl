// The last pass: each lane makes some segments' results, of what the levels have that is in no chunk. The highest level has the longest
// runs, and the first elements.

// What a segment has of a level, if this is what it has of the elements.
fn segment_above(job: Params, segment: u32, own: Segment, level: u32) -> Segment {
    if (job.flags & FLAG_HAS_OFFSETS) != 0u {
        return Segment(own.first >> level, own.count >> level, own.step);
    }
    return segment_at(job, segment, level);
}

fn segment_total(job: Params, segment: u32, own: Segment) -> Total {
    var total = total_of(op_identity());
    var begins = true;
    // Most segments are shorter than the longest that there could be, and have nothing of the higher levels. The totals of the first level
    // are the first ones.
    let levels = job.level / LOG2_CHUNK_ITEMS;
    let is_short = own.count < CHUNK_ITEMS * CHUNK_ITEMS;
    let own_levels = min(levels, select(0u, 1u, own.count >= CHUNK_ITEMS));
    var totals = select(job.totals, 0u, is_short);
    for (var step = select(0u, levels - own_levels, is_short); step < levels + 1u; step++) {
        let level = job.level - LOG2_CHUNK_ITEMS * step;
        if (own.count >> level) % CHUNK_ITEMS > 0u {
            total = digit_join(job, segment_above(job, segment, own, level), level, totals, total, begins);
            begins = false;
        }
        // Those of the next level below come before these.
        totals -= level_items(job, max(level, LOG2_CHUNK_ITEMS) - LOG2_CHUNK_ITEMS);
    }
    return total;
}

fn any_total(job: Params, segment: u32, own: Segment) -> Total {
    if own.count <= FEW {
        let few = few_total(job, own);
        if few.is_right {
            return few.total;
        }
    }
    return segment_total(job, segment, own);
}

// Whether a segment's elements that are in no chunk begin in the window that the dispatch reads. If there are none, whether the segment ends there.
fn begins_in_window(job: Params, own: Segment) -> bool {
    let place = own.first + own.count - own.count % CHUNK_ITEMS;
    return ((job.flags & FLAG_IN_WINDOW) == 0u) | (place - job.window_begin < job.window_items);
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, begin + (1u << job.log2_block_items));
    let has_offsets = (job.flags & FLAG_HAS_OFFSETS) != 0u;
    var next = OffsetWords(0u, 0u, 0u);
    if has_offsets {
        next = offset_words(job, min(begin + lane_index, end - 1u));
    }
    for (var segment = begin + lane_index; segment < end; segment += WORKGROUP_SIZE) {
        var own: Segment;
        if has_offsets {
            // While a lane makes one segment's total, the next one's offsets come.
            let between = offsets_of_words(job, OffsetWords(next.segment, next.begin, next.end));
            next = offset_words(job, min(segment + WORKGROUP_SIZE, end - 1u));
            own = Segment(between.x, between.y - between.x, 1u);
        } else {
            own = segment_at(job, segment, 0u);
        }
        if begins_in_window(job, Segment(own.first, own.count, own.step)) {
            let total = any_total(job, segment, Segment(own.first, own.count, own.step));
            result_store(job.result_index + OUT_WORDS * segment, total, vec2<u32>(own.count, 0u), 0u);
        }
    }
}
