// The first pass: workgroup w folds block w of the launch, or the part of it that the launch has.

fn row_load(at: u32) -> Acc4 {
    let values = load4(at + params.base);
    return Acc4(op_lift(values.x), op_lift(values.y), op_lift(values.z), op_lift(values.w));
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

// Four rows, loaded before the first of them is used, so that four loads are in flight.
fn fold_rows(lane: Lane, at: u32) -> Lane {
    let row0 = row_load(at);
    let row1 = row_load(at + ROW_ITEMS);
    let row2 = row_load(at + 2u * ROW_ITEMS);
    let row3 = row_load(at + 3u * ROW_ITEMS);
    return Lane(
        acc4_combine(lane.row0, row0),
        acc4_combine(lane.row1, row1),
        acc4_combine(lane.row2, row2),
        acc4_combine(lane.row3, row3),
    );
}

// Four rows of which only begin .. end are there.
fn fold_rows_within(lane: Lane, at: u32, begin: u32, end: u32) -> Lane {
    let row0 = row_load_within(at, begin, end);
    let row1 = row_load_within(at + ROW_ITEMS, begin, end);
    let row2 = row_load_within(at + 2u * ROW_ITEMS, begin, end);
    let row3 = row_load_within(at + 3u * ROW_ITEMS, begin, end);
    return Lane(
        acc4_combine(lane.row0, row0),
        acc4_combine(lane.row1, row1),
        acc4_combine(lane.row2, row2),
        acc4_combine(lane.row3, row3),
    );
}

@compute @workgroup_size(256)
fn reduce(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let lane_index = lane_index_of(workgroup, invocation);
    let block_begin = workgroup.workgroup_id.x * params.block_items;
    let block_end = block_begin + params.block_items;
    let begin = max(params.begin, block_begin);
    let end = min(params.end, block_end);

    var lane = lane_identity();
    if block_begin < params.begin {
        lane = lane_resume(lane_index);
    }

    // Whole groups of four rows in the middle, partial ones at either end of the launch.
    let body_begin = (begin + ROW_GROUP_ITEMS - 1u) & ~(ROW_GROUP_ITEMS - 1u);
    let body_end = max(body_begin, min(end, params.vec_end) & ~(ROW_GROUP_ITEMS - 1u));
    if begin < body_begin {
        let at = body_begin - ROW_GROUP_ITEMS + 4u * lane_index;
        lane = fold_rows_within(lane, at, begin, end);
    }
    for (var at = body_begin; at < body_end; at += ROW_GROUP_ITEMS) {
        lane = fold_rows(lane, at + 4u * lane_index);
    }
    for (var at = body_end; at < end; at += ROW_GROUP_ITEMS) {
        lane = fold_rows_within(lane, at + 4u * lane_index, begin, end);
    }

    if params.suspend == 1u && params.end < block_end {
        lane_suspend(lane_index, lane);
        return;
    }
    let total = workgroup_reduce(lane_reduce(lane), workgroup, invocation);
    if lane_index == 0u {
        deliver(params.first_block + workgroup.workgroup_id.x, total);
    }
}
