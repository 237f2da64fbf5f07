// `subgroup_reduce_all` by a built-in, whose order is the device's own: for operators that have the same result in every
// order.

// Combines the values of the first `width` lanes of a subgroup. Valid in every lane. No barrier.
@if(builtin) fn subgroup_reduce_all(
    value: Acc,
    width: u32,
    subgroup_invocation_id: u32,
) -> Acc {
    return op_subgroup(acc_select(op_identity(), value, subgroup_invocation_id < width));
}

// As section shuffle, for operators that do not commute: what the lower lane has stands on the left.

// Combines the values of `width` neighbouring lanes of a subgroup (a power of two, at most its size), pairwise. Valid in each of
// those lanes. No barrier.
@if(in_order) fn subgroup_reduce_all(
    value: Acc,
    width: u32,
    subgroup_invocation_id: u32,
) -> Acc {
    var total = value;
    for (var mask = 1u; mask < width; mask <<= 1u) {
        total = lanes_combine(total, total, mask, subgroup_invocation_id);
    }
    return total;
}

// Combines what a lane keeps with what another one gives, in the order of the lanes.
@if(in_order) fn lanes_combine(kept: Acc, given: Acc, mask: u32, subgroup_invocation_id: u32) -> Acc {
    let other = acc_shuffle_xor(given, mask);
    let is_upper = (subgroup_invocation_id & mask) != 0u;
    return op_combine(acc_select(kept, other, is_upper), acc_select(other, kept, is_upper));
}

// `subgroup_reduce_all` by shuffles.

// Combines the values of `width` neighbouring lanes of a subgroup (a power of two, at most its size), pairwise: lane l
// with lane l ^ mask, mask = 1, 2, 4 ... Valid in each of those lanes. No barrier.
@if(shuffle) fn subgroup_reduce_all(
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
