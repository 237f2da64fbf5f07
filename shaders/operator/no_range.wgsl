// Where a range needs not be known: all accumulators are in it, or none is.
alias Range = u32;

fn range_start() -> Range {
    return 0u;
}

fn range_include_elems(range: Range, values: Quad) -> Range {
    return range;
}

fn range_include_acc(range: Range, acc: Acc) -> Range {
    return range;
}
