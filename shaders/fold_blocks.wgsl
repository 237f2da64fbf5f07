// What a workgroup of a first pass does: it folds some blocks, one after another, or the parts of them that the job has.

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

fn rows_load(index: u32) -> Rows {
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

// Which elements there are, and where position 0 is.
struct Extent {
    begin: u32,
    end: u32,
    base: u32,
}

fn item_load_within(at: u32, extent: Extent) -> Acc {
    var acc = op_identity();
    if extent.begin <= at && at < extent.end {
        acc = op_lift(load(at + extent.base));
    }
    return acc;
}

fn row_load_within(at: u32, extent: Extent) -> Acc4 {
    return Acc4(
        item_load_within(at, extent),
        item_load_within(at + 1u, extent),
        item_load_within(at + 2u, extent),
        item_load_within(at + 3u, extent),
    );
}

// Four rows of which only an extent's elements are there.
fn rows_load_within(at: u32, extent: Extent) -> Lane {
    return Lane(
        row_load_within(at, extent),
        row_load_within(at + ROW_ITEMS, extent),
        row_load_within(at + 2u * ROW_ITEMS, extent),
        row_load_within(at + 3u * ROW_ITEMS, extent),
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

// A lane's elements begin .. end once more, because some are out of range.
fn block_refold(start: Lane, begin: u32, end: u32, base: u32, first: u32) -> Lane {
    var lane = start;
    for (var at = begin & ~(ROW_GROUP_ITEMS - 1u); at < end; at += ROW_GROUP_ITEMS) {
        let rows = rows_load_within(at + first, Extent(begin, end, base));
        lane = lane_combine_any(lane, rows);
    }
    return lane;
}

// Folds blocks first_block, first_block + 1 … of a job, as many as a workgroup takes.
fn fold_blocks(
    job: Params,
    first_block: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let lane_index = lane_index_of(workgroup, invocation);
    range_flag_clear(lane_index);
    let blocks_begin = first_block * job.block_items;
    let blocks_end = blocks_begin + job.workgroup_blocks * job.block_items;
    let begin = max(job.begin, blocks_begin);
    let end = min(job.end, blocks_end);

    // Whole groups of four rows in the middle, partial ones at either end of the launch.
    let first = 4u * lane_index;
    var body_begin = begin;
    var body_end = end;
    if EDGES {
        body_begin = (begin + ROW_GROUP_ITEMS - 1u) & ~(ROW_GROUP_ITEMS - 1u);
        body_end = max(body_begin, min(end, job.vec_end) & ~(ROW_GROUP_ITEMS - 1u));
    }
    // The next group is on its way while one is folded, also from one block to the next.
    var next: Rows;
    if body_begin < body_end {
        next = rows_load(body_begin + first + job.base);
    }
    var resumed = lane_identity();
    var range = range_start();
    if CARRIES && blocks_begin < job.begin {
        resumed = lane_resume(lane_index);
        range = range_include_lane(range, resumed);
    }
    var lane = resumed;
    range_flag_ready();

    var count = 0u;
    for (var at = begin & ~(ROW_GROUP_ITEMS - 1u); at < end; at += ROW_GROUP_ITEMS) {
        let group_end = at + ROW_GROUP_ITEMS;
        if !EDGES || (body_begin <= at && at < body_end) {
            let rows = next;
            if group_end < body_end {
                next = rows_load(group_end + first + job.base);
            }
            range = range_include_rows(range, rows);
            lane = fold_rows(lane, rows);
        } else {
            let rows = rows_load_within(at + first, Extent(begin, end, job.base));
            range = range_include_lane(range, rows);
            lane = fold_rows_within(lane, rows);
        }
        if (group_end & (job.block_items - 1u)) == 0u || group_end >= end {
            let is_safe = range_is_safe(range);
            if CARRIES && job.suspend == 1u && group_end >= job.end {
                if !is_safe {
                    let block_begin = max(begin, blocks_begin + count * job.block_items);
                    let start = block_start(count, resumed);
                    lane = block_refold(start, block_begin, end, job.base, first);
                }
                lane_suspend(lane_index, lane);
            } else {
                block_keep(count, lane_reduce(lane), is_safe, workgroup, invocation);
                count += 1u;
            }
            lane = lane_identity();
            range = range_start();
        }
    }

    let block = job.first_block + first_block;
    let out_of_range = blocks_deliver(block, count, workgroup, invocation);
    if CHECKS_RANGE && out_of_range != 0u {
        for (var i = 0u; i < count; i++) {
            if ((out_of_range >> i) & 1u) == 1u {
                let at = blocks_begin + i * job.block_items;
                let block_end = min(end, at + job.block_items);
                let start = block_start(i, resumed);
                let refolded = block_refold(start, max(begin, at), block_end, job.base, first);
                deliver_carefully(block + i, refolded, lane_index);
            }
        }
    }
}

// What a lane has of block i of a workgroup before it loads anything.
fn block_start(i: u32, resumed: Lane) -> Lane {
    if i == 0u {
        return resumed;
    }
    return lane_identity();
}
