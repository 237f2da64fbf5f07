// All passes but the last: each lane makes the totals of some chunks of a level.

// The segments of the workgroup's first chunk and of its last one, by offsets.
var<workgroup> outer_segments: array<u32, 2>;

fn has_offsets(job: Params) -> bool {
    return (job.flags & FLAG_HAS_OFFSETS) != 0u;
}

// By offsets a chunk's place is the number of the sixteen items of the whole level that its first one is among. Each chunk has the last of
// these, so no two share a place. Its segment is the last one that begins at that item, or before it.
fn search(job: Params, chunk: u32, first_segment: u32, segments: u32) -> u32 {
    let item = CHUNK_ITEMS * chunk + CHUNK_ITEMS - 1u;
    var first = first_segment;
    var count = segments;
    for (var i = 0u; i < 32u; i++) {
        if count <= 1u {
            break;
        }
        let half = count >> 1u;
        if (offset_load(job, first + half) >> job.log2_span) <= item {
            first += half;
            count -= half;
        } else {
            count = half;
        }
    }
    return first;
}

// The segment that the chunk at a place is of, if there is one.
fn segment_of_chunk(job: Params, chunk: u32) -> u32 {
    if has_offsets(job) {
        let first = outer_segments[0];
        return search(job, chunk, first, max(outer_segments[1], first) - first + 1u);
    }
    let step = job.initial_high;
    let per_segment = job.initial_low >> (job.log2_span + LOG2_CHUNK_ITEMS);
    let outer = chunk / (step * per_segment);
    return outer * step + chunk % step;
}

// Four items in a row.
fn items4(job: Params, own: Segment, at: u32) -> Acc4 {
    if job.log2_span == 0u && own.step == 1u && (job.flags & FLAG_HAS_ORDER) == 0u {
        return neighbours4(job, own, at);
    }
    return Acc4(
        segment_item(job, own, job.log2_span, job.state_before, at),
        segment_item(job, own, job.log2_span, job.state_before, at + 1u),
        segment_item(job, own, job.log2_span, job.state_before, at + 2u),
        segment_item(job, own, job.log2_span, job.state_before, at + 3u),
    );
}

// The total of a chunk from an item on.
fn chunk_total(job: Params, own: Segment, at: u32) -> Acc {
    let nothing = job.zero & job.block;
    var quads = Acc4(op_identity(), op_identity(), op_identity(), op_identity());
    var range = range_start();
    for (var i = 0u; i < 4u + nothing; i++) {
        let items = items4(job, own, at + 4u * i);
        let even = range_include_acc(range_include_acc(range, items.x), items.z);
        range = range_include_acc(range_include_acc(even, items.y), items.w);
        let quad = acc4_reduce(items);
        quads = Acc4(
            acc_select(quads.x, quad, i == 0u),
            acc_select(quads.y, quad, i == 1u),
            acc_select(quads.z, quad, i == 2u),
            acc_select(quads.w, quad, i == 3u),
        );
    }
    let total = acc4_reduce(quads);
    let is_unsafe = CHECKS_RANGE && !range_is_safe_in_tile(range);
    if !is_unsafe && (!CHECKS_TOTALS || total_is_right(total)) {
        return total;
    }
    var counter = counter_start();
    for (var place = 0u; place < CHUNK_ITEMS + nothing; place++) {
        let item = segment_item(job, own, job.log2_span, job.state_before, at + place);
        counter = counter_push(counter, place, item, nothing);
    }
    return counter.of16;
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, begin + (1u << job.log2_block_items));
    if has_offsets(job) && lane_index < 2u {
        outer_segments[lane_index] = search(job, select(end - 1u, begin, lane_index == 0u), 0u, job.partials);
    }
    workgroupBarrier();
    for (var chunk = begin + lane_index; chunk < end; chunk += WORKGROUP_SIZE) {
        let own = segment_at(job, segment_of_chunk(job, chunk), job.log2_span);
        let chunks = own.count >> LOG2_CHUNK_ITEMS;
        // Which of the segment's chunks it is. In front of the first segment that is beyond all.
        var number = chunk - (own.first >> LOG2_CHUNK_ITEMS);
        if !has_offsets(job) {
            number = (chunk / own.step) % chunks;
        }
        // Some places are no chunk's.
        if number < chunks {
            scratch_store(job.state_after + chunk, chunk_total(job, own, CHUNK_ITEMS * number));
        }
    }
}
