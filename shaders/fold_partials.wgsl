// One workgroup folds the partials, as a block of four rows. Without partials it delivers the operator's identity.

// What stands for a block's number when the total is the result.
const FOLD = 0xffffffffu;

// Which partials, and for which block their total is.
struct Partials {
    first: u32,
    count: u32,
    block: u32,
}

fn partial_row_load(partials: Partials, at: u32) -> Acc4 {
    return Acc4(
        partial_item_load(partials, at),
        partial_item_load(partials, at + 1u),
        partial_item_load(partials, at + 2u),
        partial_item_load(partials, at + 3u),
    );
}

fn partial_item_load(partials: Partials, at: u32) -> Acc {
    var acc = op_identity();
    if at < partials.count {
        acc = partial_load(partials.first + at);
    }
    return acc;
}

fn fold_partials(
    partials: Partials,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let lane_index = lane_index_of(workgroup, invocation);
    let at = 4u * lane_index;
    let lane = Lane(
        partial_row_load(partials, at),
        partial_row_load(partials, at + ROW_ITEMS),
        partial_row_load(partials, at + 2u * ROW_ITEMS),
        partial_row_load(partials, at + 3u * ROW_ITEMS),
    );
    let is_safe = range_is_safe(range_include_lane(range_start(), lane));
    range_flag_ready();
    block_keep(0u, lane_reduce(lane), is_safe, workgroup, invocation);
    if blocks_deliver(partials.block, 1u, workgroup, invocation) != 0u {
        deliver_carefully(partials.block, lane, lane_index);
    }
}
