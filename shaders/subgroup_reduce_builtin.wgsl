// Combines the first `width` lanes of a subgroup with one built-in, whose order is the device's
// own: for operators that have the same result in every order. Valid in every lane.
fn subgroup_reduce(value: Acc, width: u32, subgroup_invocation_id: u32) -> Acc {
    return op_subgroup(select(op_identity(), value, subgroup_invocation_id < width));
}
