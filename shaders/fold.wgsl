// The second pass: one workgroup folds the partials, as a block of four rows. Without partials it
// delivers the operator's identity.

fn row_load(at: u32) -> Acc4 {
    return Acc4(
        item_load(at),
        item_load(at + 1u),
        item_load(at + 2u),
        item_load(at + 3u),
    );
}

fn item_load(at: u32) -> Acc {
    var acc = op_identity();
    if at < params.partial_count {
        acc = partial_load(at);
    }
    return acc;
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let lane_index = lane_index_of(workgroup, invocation);
    range_flag_clear(lane_index);
    let at = 4u * lane_index;
    let lane = Lane(
        row_load(at),
        row_load(at + ROW_ITEMS),
        row_load(at + 2u * ROW_ITEMS),
        row_load(at + 3u * ROW_ITEMS),
    );
    let is_safe = range_is_safe(range_include_lane(range_start(), lane));
    if !deliver(0u, lane_reduce(lane), is_safe, workgroup, invocation) {
        deliver_carefully(0u, lane, lane_index);
    }
}
