// How two neighbouring runs of a row become one: operators that commute.

// What a lane has of a run of `mask` lanes, and what lane ^ mask has of the sibling.
fn siblings_join(own: Acc, sibling: Acc, mask: u32, lane: u32) -> Acc {
    return op_combine(own, sibling);
}
