// Each subgroup delivers its total: no workgroup memory, and no barrier. Only for operators to which
// everything is in range.
fn deliver(
    block: u32,
    value: Acc,
    is_safe: bool,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> bool {
    let subgroup_invocation_id = subgroup_invocation_id_of(invocation);
    let total = subgroup_reduce(value, subgroup_size_of(workgroup), subgroup_invocation_id);
    if subgroup_invocation_id == 0u {
        total_store(block, total);
    }
    return true;
}
