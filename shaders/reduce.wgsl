// The first pass: workgroup w folds block w of the launch, or the part of it that the launch has.

// Pipeline constants, so that launches without them pay nothing for either; `Launch` in src/plan.rs
// sets them.
//
// Whether the launch begins or ends within a group of four rows, or some of its elements can't be
// loaded four at a time.
override EDGES: bool = true;
// Whether the launch resumes a block or suspends one.
override CARRIES: bool = true;

// Four rows' elements of a lane.
struct Rows {
    row0: vec4<Elem>,
    row1: vec4<Elem>,
    row2: vec4<Elem>,
    row3: vec4<Elem>,
}

fn rows_load(at: u32) -> Rows {
    let index = at + params.base;
    return Rows(
        load4(index),
        load4(index + ROW_ITEMS),
        load4(index + 2u * ROW_ITEMS),
        load4(index + 3u * ROW_ITEMS),
    );
}

fn acc4_lift(values: vec4<Elem>) -> Acc4 {
    return Acc4(op_lift(values.x), op_lift(values.y), op_lift(values.z), op_lift(values.w));
}

fn fold_rows(lane: Lane, rows: Rows) -> Lane {
    return Lane(
        acc4_combine(lane.row0, acc4_lift(rows.row0)),
        acc4_combine(lane.row1, acc4_lift(rows.row1)),
        acc4_combine(lane.row2, acc4_lift(rows.row2)),
        acc4_combine(lane.row3, acc4_lift(rows.row3)),
    );
}

fn range_include_rows(range: Range, rows: Rows) -> Range {
    let even = range_include_elems(range_include_elems(range, rows.row0), rows.row2);
    return range_include_elems(range_include_elems(even, rows.row1), rows.row3);
}

fn item_load_within(at: u32, begin: u32, end: u32) -> Acc {
    var acc = op_identity();
    if begin <= at && at < end {
        acc = op_lift(load(at + params.base));
    }
    return acc;
}

fn row_load_within(at: u32, begin: u32, end: u32) -> Acc4 {
    return Acc4(
        item_load_within(at, begin, end),
        item_load_within(at + 1u, begin, end),
        item_load_within(at + 2u, begin, end),
        item_load_within(at + 3u, begin, end),
    );
}

// Four rows of which only begin .. end are there.
fn rows_load_within(at: u32, begin: u32, end: u32) -> Lane {
    return Lane(
        row_load_within(at, begin, end),
        row_load_within(at + ROW_ITEMS, begin, end),
        row_load_within(at + 2u * ROW_ITEMS, begin, end),
        row_load_within(at + 3u * ROW_ITEMS, begin, end),
    );
}

fn fold_rows_within(lane: Lane, rows: Lane) -> Lane {
    return Lane(
        acc4_combine(lane.row0, rows.row0),
        acc4_combine(lane.row1, rows.row1),
        acc4_combine(lane.row2, rows.row2),
        acc4_combine(lane.row3, rows.row3),
    );
}

// Elements begin .. end of a lane once more, because some are out of range.
fn lane_refold(resumed: Lane, first: u32, begin: u32, end: u32) -> Lane {
    var lane = resumed;
    for (var at = begin & ~(ROW_GROUP_ITEMS - 1u); at < end; at += ROW_GROUP_ITEMS) {
        lane = lane_combine_any(lane, rows_load_within(at + first, begin, end));
    }
    return lane;
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let lane_index = lane_index_of(workgroup, invocation);
    range_flag_clear(lane_index);
    let block_begin = workgroup.workgroup_id.x * params.block_items;
    let block_end = block_begin + params.block_items;
    let begin = max(params.begin, block_begin);
    let end = min(params.end, block_end);

    var lane = lane_identity();
    var range = range_start();
    if CARRIES && block_begin < params.begin {
        lane = lane_resume(lane_index);
        range = range_include_lane(range, lane);
    }
    let resumed = lane;

    // Whole groups of four rows in the middle, partial ones at either end of the launch.
    let first = 4u * lane_index;
    var body_begin = begin;
    var body_end = end;
    if EDGES {
        body_begin = (begin + ROW_GROUP_ITEMS - 1u) & ~(ROW_GROUP_ITEMS - 1u);
        body_end = max(body_begin, min(end, params.vec_end) & ~(ROW_GROUP_ITEMS - 1u));
        if begin < body_begin {
            let rows = rows_load_within(body_begin - ROW_GROUP_ITEMS + first, begin, end);
            range = range_include_lane(range, rows);
            lane = fold_rows_within(lane, rows);
        }
    }
    if body_begin < body_end {
        // The next group is on its way while one is folded.
        var next = rows_load(body_begin + first);
        for (var at = body_begin + ROW_GROUP_ITEMS; at < body_end; at += ROW_GROUP_ITEMS) {
            let rows = next;
            next = rows_load(at + first);
            range = range_include_rows(range, rows);
            lane = fold_rows(lane, rows);
        }
        range = range_include_rows(range, next);
        lane = fold_rows(lane, next);
    }
    if EDGES {
        for (var at = body_end; at < end; at += ROW_GROUP_ITEMS) {
            let rows = rows_load_within(at + first, begin, end);
            range = range_include_lane(range, rows);
            lane = fold_rows_within(lane, rows);
        }
    }
    let is_safe = range_is_safe(range);
    if CARRIES && params.suspend == 1u && params.end < block_end {
        if !is_safe {
            lane = lane_refold(resumed, first, begin, end);
        }
        lane_suspend(lane_index, lane);
        return;
    }
    let block = params.first_block + workgroup.workgroup_id.x;
    if !deliver(block, lane_reduce(lane), is_safe, workgroup, invocation) {
        if !is_safe {
            lane = lane_refold(resumed, first, begin, end);
        }
        deliver_carefully(block, lane, lane_index);
    }
    total_done(workgroup, invocation);
}
