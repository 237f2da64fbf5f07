// Where the device's adder makes the sums, and integers check them.

// For anything.
fn op_combine_any(a: Acc, b: Acc) -> Acc {
    return counted(sum_of_any(a.sum, b.sum), a, b);
}

fn op_is_right(a: Acc, b: Acc, combined: Acc) -> bool {
    return sum_is_right(a.sum, b.sum, combined.sum);
}

// Of a tile with a NaN, as there may be where expressions say which elements count: then every mean is one, too.
fn op_lost() -> Acc {
    return Acc(ELEM_NAN, 0u, 0u);
}

fn range_include_acc(range: Range, acc: Acc) -> Range {
    return range_include_sum(range, acc.sum);
}
