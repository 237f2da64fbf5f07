// `subgroup_reduce_all` by shuffles.

// Combines the values of `width` neighbouring lanes of a subgroup (a power of two, at most its size), pairwise: lane l
// with lane l ^ mask, mask = 1, 2, 4 ... Valid in each of those lanes. No barrier.
fn subgroup_reduce_all(
    value: Acc,
    width: u32,
    subgroup_invocation_id: u32,
) -> Acc {
    var total = value;
    for (var mask = 1u; mask < width; mask <<= 1u) {
        total = op_combine(total, acc_shuffle_xor(total, mask));
    }
    return total;
}
