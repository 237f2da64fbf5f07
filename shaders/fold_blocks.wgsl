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

// Folds blocks of the workgroup's job, as many as a workgroup takes.
fn fold_blocks(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let lane_index = lane_index_of(workgroup, invocation);
    range_flag_clear(lane_index);
    let first_block = job_first_block(workgroup);
    let blocks_begin = first_block * job_block_items(workgroup);
    let blocks_end =
        blocks_begin + job_workgroup_blocks(workgroup) * job_block_items(workgroup);
    let begin = max(job_begin(workgroup), blocks_begin);
    let end = min(job_end(workgroup), blocks_end);

    // Whole groups of four rows in the middle, partial ones at either end of the launch.
    let first = 4u * lane_index;
    var body_begin = begin;
    var body_end = end;
    if EDGES {
        body_begin = (begin + ROW_GROUP_ITEMS - 1u) & ~(ROW_GROUP_ITEMS - 1u);
        body_end = max(body_begin, min(end, job_vec_end(workgroup)) & ~(ROW_GROUP_ITEMS - 1u));
    }
    // The next group is on its way while one is folded, also from one block to the next.
    var next: Rows;
    if body_begin < body_end {
        next = rows_load(body_begin + first + job_base(workgroup));
    }
    var lane = block_start(0u, blocks_begin, workgroup, invocation);
    var range = range_start();
    if CARRIES && blocks_begin < job_begin(workgroup) {
        range = range_include_lane(range, lane);
    }
    range_flag_ready();

    var count = 0u;
    for (var at = begin & ~(ROW_GROUP_ITEMS - 1u); at < end; at += ROW_GROUP_ITEMS) {
        let group_end = at + ROW_GROUP_ITEMS;
        if !EDGES || (body_begin <= at && at < body_end) {
            // Member by member, as DXC takes a copy of a struct for its source, whatever is stored there meanwhile.
            let rows = Rows(next.row0, next.row1, next.row2, next.row3);
            if group_end < body_end {
                next = rows_load(group_end + first + job_base(workgroup));
            }
            range = range_include_rows(range, rows);
            lane = fold_rows(lane, rows);
        } else {
            let rows = rows_load_within(at + first, Extent(begin, end, job_base(workgroup)));
            range = range_include_lane(range, rows);
            lane = fold_rows_within(lane, rows);
        }
        if (group_end & (job_block_items(workgroup) - 1u)) == 0u || group_end >= end {
            let is_safe = range_is_safe(range);
            if CARRIES && job_suspend(workgroup) == 1u && group_end >= job_end(workgroup) {
                if !is_safe {
                    let block_begin = max(begin, blocks_begin + count * job_block_items(workgroup));
                    let start = block_start(count, blocks_begin, workgroup, invocation);
                    lane = block_refold(start, block_begin, end, job_base(workgroup), first);
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

    let block = job_partial(workgroup) + first_block;
    let out_of_range = blocks_deliver(block, count, workgroup, invocation);
    if CHECKS_RANGE && out_of_range != 0u {
        for (var i = 0u; i < count; i++) {
            if ((out_of_range >> i) & 1u) == 1u {
                let at = blocks_begin + i * job_block_items(workgroup);
                let block_end = min(end, at + job_block_items(workgroup));
                let start = block_start(i, blocks_begin, workgroup, invocation);
                let refolded = block_refold(start, max(begin, at), block_end, job_base(workgroup), first);
                deliver_carefully(block + i, refolded, lane_index);
            }
        }
    }
}

// What a lane has of block i of its workgroup before it loads anything. (Looked up again rather than kept: registers are
// few.)
fn block_start(
    i: u32,
    blocks_begin: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Lane {
    if CARRIES && i == 0u && blocks_begin < job_begin(workgroup) {
        return lane_resume(lane_index_of(workgroup, invocation));
    }
    return lane_identity();
}
