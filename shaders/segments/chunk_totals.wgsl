// The totals of chunks, and where each sixteen chunks are one of the next level, theirs.

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

// By all at once.
fn quads_at_once(job: Params, own: Segment, walk: Walk, at: u32) -> Quads {
    let rows = sixteen_at(job, own, walk, at);
    let even = range_include_items(range_include_items(range_start(), rows.row0), rows.row2);
    let range = range_include_items(range_include_items(even, rows.row1), rows.row3);
    return Quads(
        Acc4(
            acc4_reduce(items_lift_at(job, at, rows.row0)),
            acc4_reduce(items_lift_at(job, at + 4u, rows.row1)),
            acc4_reduce(items_lift_at(job, at + 8u, rows.row2)),
            acc4_reduce(items_lift_at(job, at + 12u, rows.row3)),
        ),
        range,
    );
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
