// Each workgroup delivers the totals of its blocks, of those in which all its lanes' values are in range.

// What lanes have of block i of the workgroup, whether it is in range or not. All lanes come here.
fn block_keep(
    i: u32,
    value: Acc,
    is_safe: bool,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    range_flag_note(i, is_safe);
    workgroup_keep(i, value, workgroup, invocation);
}

// The blocks that are out of range, and not delivered: a bit for each.
fn blocks_deliver(
    first_block: u32,
    count: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> u32 {
    let out_of_range = range_flag_barrier();
    workgroup_combine(count, workgroup, invocation);
    let i = lane_index_of(workgroup, invocation);
    if i < count && ((out_of_range >> i) & 1u) == 0u {
        total_store(first_block + i, workgroup_total);
    }
    return out_of_range;
}
