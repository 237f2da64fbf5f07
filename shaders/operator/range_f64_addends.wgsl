// Which f64s the device adds as IEEE-754 says, however many there are.

fn range_include_acc(range: Range, acc: Acc) -> Range {
    let word = range_word(acc);
    return Range(min(range.low, word - 1u), max(range.high, word));
}

// Whether all are 0, or at least 2^-969 and less than 2^983 in magnitude. Their sums are multiples of
// 2^-1021, so never subnormal, and up to 2^40 of them stay below 2^1023.
fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x06bfffffu) & (range.high < 0xfac00000u);
}

// The same of sums of up to 4096 elements: less than 2^1010. Twice as many
// stay below 2^1023, as do 192 such sums of a single pass.
fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x06bfffffu) & (range.high < 0xfe200000u);
}

// Whether a sum of elements that are safe in a tile can be added to what is before them: 0, or at least 2^-969 and less than 2^1022.
fn carry_is_safe(carry: Acc) -> bool {
    let word = range_word(carry);
    return (word - 1u >= 0x06bfffffu) & (word < 0xffa00000u);
}
