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
        let items = items4(job, own, job.level, job.totals, next, first, own.count - 1u);
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
    let walk = walk_at(job, own, job.level, at);
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
        let item = segment_item(job, own, job.level, job.totals, at + place);
        counter = counter_push(counter, place, item, nothing);
    }
    return counter.of16;
}

// The totals of a workgroup's chunks: of each, of two turns if chunks may be joined by offsets, then of four. Each step has memory of its own, so that none
// waits for what another lane still reads.
const KEPT = select(WORKGROUP_SIZE, 2u * WORKGROUP_SIZE, ACC_WORDS <= MOST_JOINED_WORDS);
const TOTALS = KEPT + WORKGROUP_SIZE / 4u;
var<workgroup> totals: array<Acc, TOTALS>;

fn totals4(first: u32) -> Acc4 {
    return Acc4(totals[first], totals[first + 1u], totals[first + 2u], totals[first + 3u]);
}

// Of four chunks from one on.
fn kept4(chunk: u32) -> Acc4 {
    return Acc4(
        totals[chunk % KEPT],
        totals[(chunk + 1u) % KEPT],
        totals[(chunk + 2u) % KEPT],
        totals[(chunk + 3u) % KEPT],
    );
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

// The first of the sixteen chunks whose total is to be at a place of the next level, or none. Of places beside the workgroup's own there are none.
fn sixteen_of(job: Params, turn: Turn, place: u32) -> u32 {
    let last = CHUNK_ITEMS * place + CHUNK_ITEMS - 1u;
    if (place < turn.begin / CHUNK_ITEMS) | (last >= turn.end) {
        return NO_CHUNK;
    }
    if joins_by_offsets(job) {
        return sixteens[place % SIXTEENS];
    }
    return CHUNK_ITEMS * place;
}

// Where each sixteen chunks in a row are one of the next level, or, by offsets, those that are: their totals. A lane has the total of its chunk, or of its
// four. All lanes come here.
fn chunks_join(job: Params, turn: Turn, own: Acc4, slot: u32, lane_index: u32) {
    let has_four = joins_columns(job);
    if !has_four {
        totals[(turn.first + slot) % KEPT] = own.x;
    }
    workgroupBarrier();
    // By offsets the last place of a turn has to wait for the next one, in whose memory sixteen chunks may end.
    let places = turn.first / CHUNK_ITEMS - select(0u, 1u, joins_by_offsets(job));
    let of_four = sixteen_of(job, turn, places + lane_index / 4u);
    let of_lane = sixteen_of(job, turn, places + lane_index % (WORKGROUP_SIZE / CHUNK_ITEMS));
    if has_four | ((lane_index < WORKGROUP_SIZE / 4u) & (of_four != NO_CHUNK)) {
        var four = Acc4(own.x, own.y, own.z, own.w);
        if !has_four {
            four = kept4(of_four + 4u * (lane_index % 4u));
        }
        totals[select(KEPT + lane_index, slot, has_four)] = acc4_join(job, four);
    }
    workgroupBarrier();
    let row = turn.first / 4u + lane_index;
    let is_row = has_four & (lane_index < WORKGROUP_SIZE / 4u) & (4u * row < turn.end);
    if is_row | (!has_four & (lane_index < WORKGROUP_SIZE / CHUNK_ITEMS) & (of_lane != NO_CHUNK)) {
        let begin = select(KEPT, 0u, has_four) + 4u * lane_index;
        scratch_store(job.next_totals + select(places + lane_index, row, has_four), acc4_join(job, totals4(begin)));
    }
}
