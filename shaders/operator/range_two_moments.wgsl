// Of which f32s the device may make moments, extrema and places: those of which it may make a variance, and none of them NaN.

// Whether a run's numbers are such that the device may merge it with another one: neither its sum nor its squares are subnormal, and sums of
// 2^9 such are below 2^62; and neither a NaN nor an element behind the first 2^32 is in it.
fn is_in_range(acc: Acc) -> bool {
    let sum = acc.sum << 1u;
    let squares = acc.squares << 1u;
    return (sum - 1u >= 0x00ffffffu) & (sum < 0xb4000000u)
        & (squares - 1u >= 0x00ffffffu) & (squares < 0xee000000u)
        & ((acc.nans | (acc.high_parts >> 5u)) == 0u);
}

fn range_include_acc(range: Range, acc: Acc) -> Range {
    return Range(select(0u, range.low, is_in_range(acc)), range.high);
}

// As range_moments.wgsl has it: no element is subnormal, and all are less than 2^42 in magnitude.
fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x00ffffffu) & (range.high < 0xa9000000u);
}

fn range_is_safe_in_tile(range: Range) -> bool {
    return range_is_safe(range);
}
