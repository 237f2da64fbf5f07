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

// How many groups of four rows are added before the lanes ask whether their buckets must be emptied: 128 elements
// of a lane, and as much room as its window's take, 96 at most.
const PART_GROUPS = 8u;

// A group of four rows of which the launch has at least a part.
fn group_load(at: u32, first: u32, begin: u32, end: u32) -> Rows {
    if !EDGES || (begin <= at && at + ROW_GROUP_ITEMS <= min(end, params.vec_end)) {
        return rows_load(at + first);
    }
    return rows_load_within(at + first, begin, end);
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let lane_index = lane_index_of(workgroup, invocation);
    let block_begin = workgroup.workgroup_id.x * params.block_items;
    let begin = max(params.begin, block_begin);
    let end = min(params.end, block_begin + params.block_items);
    let first = 4u * lane_index;

    // The next group is on its way while one is added.
    let aligned_begin = begin & ~(ROW_GROUP_ITEMS - 1u);
    var next = group_load(aligned_begin, first, begin, end);
    deposits_clear(lane_index);
    digits_clear(lane_index);
    workgroupBarrier();
    var window = window_start();
    for (var part = aligned_begin; part < end; part += PART_GROUPS * ROW_GROUP_ITEMS) {
        let part_end = min(part + PART_GROUPS * ROW_GROUP_ITEMS, end);
        for (var at = part; at < part_end; at += ROW_GROUP_ITEMS) {
            let rows = next;
            if at + ROW_GROUP_ITEMS < end {
                next = group_load(at + ROW_GROUP_ITEMS, first, begin, end);
            }
            window = window_add(lane_index, window, rows);
        }
        let is_last = part_end == end;
        if is_last {
            window_flush(lane_index, window);
        }
        if is_last || workgroupUniformLoad(&has_deposits) != 0u {
            deposits_deliver(lane_index);
            window = window_retry(window);
        }
    }
    digits_deliver(lane_index);
}
