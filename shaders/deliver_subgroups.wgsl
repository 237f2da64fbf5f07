// Each subgroup delivers its total of each block: no workgroup memory, and no barrier. Only for operators to which
// everything is in range.
fn block_keep(
    i: u32,
    value: Acc,
    is_safe: bool,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let subgroup_invocation_id = subgroup_invocation_id_of(invocation);
    let total = subgroup_reduce(value, subgroup_size_of(workgroup), subgroup_invocation_id);
    if subgroup_invocation_id == 0u {
        total_store(i, total);
    }
}

fn blocks_deliver(
    first_block: u32,
    count: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> u32 {
    return 0u;
}
