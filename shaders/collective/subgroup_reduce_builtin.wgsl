// `subgroup_reduce_all` by a built-in, whose order is the device's own: for operators that have the same result in every
// order.

// Combines the values of the first `width` lanes of a subgroup. Valid in every lane. No barrier.
fn subgroup_reduce_all(
    value: Acc,
    width: u32,
    subgroup_invocation_id: u32,
) -> Acc {
    return op_subgroup(acc_select(op_identity(), value, subgroup_invocation_id < width));
}
