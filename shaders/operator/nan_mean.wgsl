// The sum of what is not NaN, and how many elements that are.

// Words by themselves: vectors would begin at multiples of their size, and not fit the memory of a workgroup.
struct Acc {
    sum: Elem,
    // 64 bits.
    low: u32,
    high: u32,
}

alias Total = Acc;

fn op_identity() -> Acc {
    return Acc(Elem(), 0u, 0u);
}

// reduce/elems.wgsl has put -0 in the place of NaNs, and of nothing else.
fn op_lift(bits: Elem) -> Acc {
    let is_missing = elem_is_mark(bits);
    return Acc(select(bits, Elem(), is_missing), select(1u, 0u, is_missing), 0u);
}

// Of both operands' elements, whose sum is given.
fn counted(sum: Elem, a: Acc, b: Acc) -> Acc {
    let low = a.low + b.low;
    return Acc(sum, low, a.high + b.high + select(0u, 1u, low < a.low));
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return counted(sum_of(a.sum, b.sum), a, b);
}

// The sum divided by the number of elements that are not NaN, rounded.
fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return mean_words(total.sum, vec2<u32>(total.low, total.high));
}

// Where the device's adder makes the sums, and integers check them.

// For anything.
@if(checked) fn op_combine_any(a: Acc, b: Acc) -> Acc {
    return counted(sum_of_any(a.sum, b.sum), a, b);
}

@if(checked) fn op_is_right(a: Acc, b: Acc, combined: Acc) -> bool {
    return sum_is_right(a.sum, b.sum, combined.sum);
}

// Of a tile with a NaN, as there may be where expressions say which elements count: then every mean is one, too.
@if(checked) fn op_lost() -> Acc {
    return Acc(ELEM_NAN, 0u, 0u);
}

@if(checked) fn range_include_acc(range: Range, acc: Acc) -> Range {
    return range_include_sum(range, acc.sum);
}
