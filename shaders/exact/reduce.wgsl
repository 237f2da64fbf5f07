// The first pass of an exact reduction: workgroup w adds up block w of the launch, or the part of it
// that the launch has. The order does not matter.

// Pipeline constant; `Launch` in src/plan.rs sets it. Whether the launch begins or ends within a group of four
// rows, or some of its elements can't be loaded four at a time.
override EDGES: bool = true;

fn item_load_within(at: u32, begin: u32, end: u32) -> Elem {
    var element = elem_from_word(0u);
    if begin <= at && at < end {
        element = load(at + params.base);
    }
    return element;
}

fn row_load_within(at: u32, begin: u32, end: u32) -> vec4<Elem> {
    return vec4<Elem>(
        item_load_within(at, begin, end),
        item_load_within(at + 1u, begin, end),
        item_load_within(at + 2u, begin, end),
        item_load_within(at + 3u, begin, end),
    );
}

// Four rows of which only begin .. end are there.
fn rows_load_within(at: u32, begin: u32, end: u32) -> Rows {
    return Rows(
        row_load_within(at, begin, end),
        row_load_within(at + ROW_ITEMS, begin, end),
        row_load_within(at + 2u * ROW_ITEMS, begin, end),
        row_load_within(at + 3u * ROW_ITEMS, begin, end),
    );
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let lane_index = lane_index_of(workgroup, invocation);
    cells_clear(lane_index);
    let block_begin = workgroup.workgroup_id.x * params.block_items;
    let begin = max(params.begin, block_begin);
    let end = min(params.end, block_begin + params.block_items);

    // Whole groups of four rows in the middle, partial ones at either end of the launch.
    let first = 4u * lane_index;
    var window = window_start();
    var body_begin = begin;
    var body_end = end;
    if EDGES {
        body_begin = (begin + ROW_GROUP_ITEMS - 1u) & ~(ROW_GROUP_ITEMS - 1u);
        body_end = max(body_begin, min(end, params.vec_end) & ~(ROW_GROUP_ITEMS - 1u));
        if begin < body_begin {
            let at = body_begin - ROW_GROUP_ITEMS + first;
            window = window_add(window, rows_load_within(at, begin, end));
        }
    }
    if body_begin < body_end {
        // The next group is on its way while one is added.
        var next = rows_load(body_begin + first);
        for (var at = body_begin + ROW_GROUP_ITEMS; at < body_end; at += ROW_GROUP_ITEMS) {
            let rows = next;
            next = rows_load(at + first);
            window = window_add(window, rows);
        }
        window = window_add(window, next);
    }
    if EDGES {
        for (var at = body_end; at < end; at += ROW_GROUP_ITEMS) {
            window = window_add(window, rows_load_within(at + first, begin, end));
        }
    }
    window_flush(window);
    cells_deliver(lane_index);
}
