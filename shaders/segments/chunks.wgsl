// All passes but the last: each lane makes the totals of some chunks of a level.

// The segments of the workgroup's first chunk and of its last one, by offsets, and where these begin in the level.
var<workgroup> outer_segments: array<u32, 2>;
var<workgroup> outer_begins: array<u32, 2>;

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

// Offsets of the segment that the chunk at a place may be of. Where segments are as long as each other, it is the one that a straight line leads to.
fn words_near(job: Params, chunk: u32) -> OffsetWords {
    let first = outer_segments[0];
    let segments = max(outer_segments[1], first) - first;
    let items = max(outer_begins[1], outer_begins[0]) - outer_begins[0];
    let item = CHUNK_ITEMS * chunk + CHUNK_ITEMS - 1u - outer_begins[0];
    // Where that wraps around, it leads to any other of them.
    return offset_words(job, first + min(item * segments / max(items, 1u), segments));
}

// What the segment has that the chunk at a place is of, if there is one, which may be the one with these offsets.
fn segment_near(job: Params, chunk: u32, near: OffsetWords) -> Segment {
    let item = CHUNK_ITEMS * chunk + CHUNK_ITEMS - 1u;
    let between = offsets_of_words(job, near);
    if (between.x >> job.log2_span) > item {
        let first = outer_segments[0];
        return segment_at(job, search(job, chunk, first, near.segment - first), job.log2_span);
    }
    let last = max(outer_segments[1], near.segment);
    if near.segment == last || (between.y >> job.log2_span) > item {
        return Segment(between.x >> job.log2_span, (between.y - between.x) >> job.log2_span, 1u);
    }
    return segment_at(job, search(job, chunk, near.segment + 1u, last - near.segment), job.log2_span);
}

// Where chunks of segments that lie within each other are joined, a lane takes four in a row, and lanes side by side take segments side by side. Of
// larger accumulators than these it does not keep four.
const MOST_JOINED_WORDS = 4u;
const COLUMNS = WORKGROUP_SIZE / 4u;

fn joins_columns(job: Params) -> bool {
    return APART && ACC_WORDS <= MOST_JOINED_WORDS && job.initial_high != 1u && (job.flags & FLAG_JOINS_CHUNKS) != 0u;
}

// Where there are no offsets: which of the segments that lie within each other the run of 2^log2_items elements at a place is of, and which of its runs
// that is.
fn segment_of_run(job: Params, run: u32, log2_items: u32) -> vec3<u32> {
    let step = step_of(job);
    let per_segment = job.initial_low >> log2_items;
    if step == 1u {
        let segment = run / per_segment;
        return vec3<u32>(segment, 0u, run - segment * per_segment);
    }
    let row = run / step;
    let outer = row / per_segment;
    return vec3<u32>(outer, run - row * step, row - outer * per_segment);
}

// The totals of a chunk's four quads, and what is known of its items.
struct Quads {
    totals: Acc4,
    range: Range,
}

// By one quad after another.
fn quads_of(job: Params, own: Segment, walk: Walk, at: u32) -> Quads {
    let nothing = nothing_of(job) & job.block;
    var next = walk;
    var totals = Acc4(op_identity(), op_identity(), op_identity(), op_identity());
    var range = range_start();
    for (var i = 0u; i < 4u + nothing; i++) {
        let first = at + 4u * i;
        let items = items4(job, own, job.log2_span, job.state_before, next, first, own.count - 1u);
        next = walk_on(job, own, next, first, 4u);
        range = range_include_acc4(range, items);
        let quad = acc4_reduce(items);
        totals = Acc4(
            acc_select(totals.x, quad, i == 0u),
            acc_select(totals.y, quad, i == 1u),
            acc_select(totals.z, quad, i == 2u),
            acc_select(totals.w, quad, i == 3u),
        );
    }
    return Quads(totals, range);
}

// The total of a chunk from an item on.
fn chunk_total(job: Params, own: Segment, at: u32) -> Acc {
    var total: Acc;
    var range: Range;
    let walk = walk_at(job, own, job.log2_span, at);
    if is_loaded_at_once(job, own, walk) {
        let quads = quads_at_once(job, own, walk, at);
        total = acc4_reduce(quads.totals);
        range = quads.range;
    } else {
        let quads = quads_of(job, own, walk, at);
        total = acc4_reduce(quads.totals);
        range = quads.range;
    }
    if is_right(range, total) {
        return total;
    }
    let nothing = nothing_of(job) & job.block;
    var counter = counter_start();
    for (var place = 0u; place < CHUNK_ITEMS + nothing; place++) {
        let item = segment_item(job, own, job.log2_span, job.state_before, at + place);
        counter = counter_push(counter, place, item, nothing);
    }
    return counter.of16;
}

// The totals of a workgroup's chunks: of each, then of four. Each step has memory of its own, so that none waits for what another lane still
// reads.
const TOTALS = WORKGROUP_SIZE + WORKGROUP_SIZE / 4u;
var<workgroup> totals: array<Acc, TOTALS>;

fn totals4(first: u32) -> Acc4 {
    return Acc4(totals[first], totals[first + 1u], totals[first + 2u], totals[first + 3u]);
}

fn acc4_join(job: Params, items: Acc4) -> Acc {
    let total = acc4_reduce(items);
    if is_right(range_include_acc4(range_start(), items), total) {
        return total;
    }
    // One combination of any values is in a loop with a bound that compilers do not know, because it is long.
    let nothing = nothing_of(job) & job.block;
    var left = items.x;
    var right = items.y;
    var half = items.x;
    for (var i = 0u; i < 3u + nothing; i++) {
        let joined = op_combine_any(left, right);
        half = acc_select(half, joined, i == 0u);
        left = acc_select(half, joined, i == 2u);
        left = acc_select(left, items.z, i == 0u);
        right = acc_select(joined, items.w, i == 0u);
    }
    return left;
}

// Where each sixteen chunks in a row are one of the next level: their totals. A lane has the total of its chunk, or of its four. All lanes come
// here.
fn chunks_join(job: Params, first: u32, end: u32, own: Acc4, slot: u32, lane_index: u32) {
    let has_four = joins_columns(job);
    if !has_four {
        totals[slot] = own.x;
    }
    workgroupBarrier();
    if has_four || lane_index < WORKGROUP_SIZE / 4u {
        var four = Acc4(own.x, own.y, own.z, own.w);
        if !has_four {
            four = totals4(4u * lane_index);
        }
        totals[select(WORKGROUP_SIZE + lane_index, slot, has_four)] = acc4_join(job, four);
    }
    workgroupBarrier();
    let log2_lanes = select(LOG2_CHUNK_ITEMS, 2u, has_four);
    let chunk = (first >> log2_lanes) + lane_index;
    if lane_index < (WORKGROUP_SIZE >> log2_lanes) && (chunk << log2_lanes) < end {
        let begin = select(WORKGROUP_SIZE, 0u, has_four) + 4u * lane_index;
        scratch_store(job.state_after + chunk, acc4_join(job, totals4(begin)));
    }
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let begin = job.begin + (job.block << job.log2_block_items);
    let end = min(job.end, begin + (1u << job.log2_block_items));
    if has_offsets(job) && lane_index < 2u {
        let segment = search(job, select(end - 1u, begin, lane_index == 0u), 0u, job.partials);
        outer_segments[lane_index] = segment;
        outer_begins[lane_index] = offset_load(job, segment) >> job.log2_span;
    }
    workgroupBarrier();
    var next = OffsetWords(0u, 0u, 0u);
    if has_offsets(job) {
        next = words_near(job, min(begin + lane_index, end - 1u));
    }
    let has_four = joins_columns(job);
    let slot = select(lane_index, 4u * (lane_index % COLUMNS) + lane_index / COLUMNS, has_four);
    let nothing = nothing_of(job) & job.block;
    for (var first = begin; first < end; first += WORKGROUP_SIZE) {
        let chunk = first + slot;
        // Of the chunk, or of four of them.
        var own_totals = Acc4(op_identity(), op_identity(), op_identity(), op_identity());
        if chunk < end {
            // The segment's part of the level, and which of its chunks this is. In front of the first segment that is beyond all.
            var own: Segment;
            var number = 0u;
            if has_offsets(job) {
                // While a lane looks at one chunk, the next one's offsets come.
                let near = OffsetWords(next.segment, next.begin, next.end);
                next = words_near(job, min(chunk + WORKGROUP_SIZE, end - 1u));
                own = segment_near(job, chunk, near);
                number = chunk - (own.first >> LOG2_CHUNK_ITEMS);
            } else {
                let log2_chunks = select(0u, LOG2_CHUNK_ITEMS, has_four);
                let run = select(chunk, chunk >> 2u, has_four);
                let place = segment_of_run(job, run, job.log2_span + LOG2_CHUNK_ITEMS + log2_chunks);
                own = segment_in(job, place.x, place.y, job.log2_span);
                number = (place.z << log2_chunks) + select(0u, 4u * (chunk & 3u), has_four);
            }
            // Some places are no chunk's.
            if number < (own.count >> LOG2_CHUNK_ITEMS) {
                if !APART {
                    own_totals.x = chunk_total(job, Segment(own.first, own.count, 1u), CHUNK_ITEMS * number);
                } else {
                    for (var i = 0u; i < select(1u, 4u, has_four) + nothing; i++) {
                        let at = CHUNK_ITEMS * (number + i);
                        let total = chunk_total(job, Segment(own.first, own.count, own.step), at);
                        own_totals = Acc4(
                            acc_select(own_totals.x, total, i == 0u),
                            acc_select(own_totals.y, total, has_four && i == 1u),
                            acc_select(own_totals.z, total, has_four && i == 2u),
                            acc_select(own_totals.w, total, has_four && i == 3u),
                        );
                    }
                }
                if (job.flags & FLAG_JOINS_CHUNKS) == 0u {
                    scratch_store(job.state_after + chunk, own_totals.x);
                }
            }
        }
        if (job.flags & FLAG_JOINS_CHUNKS) != 0u {
            let joined = Acc4(own_totals.x, own_totals.y, own_totals.z, own_totals.w);
            chunks_join(job, first, end, joined, slot, lane_index);
        }
    }
}
