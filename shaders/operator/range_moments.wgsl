// Of which f32s the device may make moments.

// A block's total has a range of its own: neither its sum nor its squares are subnormal, and 2^9 of them have sums below 2^62.
fn range_include_acc(range: Range, acc: Acc) -> Range {
    let sum = acc.sum << 1u;
    let squares = acc.squares << 1u;
    let is_safe = (sum - 1u >= 0x00ffffffu) & (sum < 0xb4000000u)
        & (squares - 1u >= 0x00ffffffu) & (squares < 0xee000000u);
    return Range(select(0u, range.low, is_safe), range.high);
}

// Whether no element is subnormal, and all are less than 2^42 in magnitude. Then distances of up to 2^21 of them, which are in a block,
// are less than 2^63, and their squares less than 2^126. Where a sum or a distance is subnormal, the total shows it.
fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x00ffffffu) & (range.high < 0xa9000000u);
}

fn range_is_safe_in_tile(range: Range) -> bool {
    return range_is_safe(range);
}
