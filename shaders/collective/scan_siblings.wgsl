// How two neighbouring runs of a row become one: operators that commute.

// What a lane has of a run of `mask` lanes, and what lane ^ mask has of the sibling.
@if(any_order) fn siblings_join(own: Acc, sibling: Acc, mask: u32, lane: u32) -> Acc {
    return op_combine(own, sibling);
}

// As section any_order, for operators that do not commute: what the lower lane has stands on the left.
@if(in_order) fn siblings_join(own: Acc, sibling: Acc, mask: u32, lane: u32) -> Acc {
    let is_upper = (lane & mask) != 0u;
    return op_combine(acc_select(own, sibling, is_upper), acc_select(sibling, own, is_upper));
}
