// Which f32s the device adds as IEEE-754 says, however many there are.

fn range_include_acc(range: Range, acc: Acc) -> Range {
    let doubled = acc << 1u;
    return Range(min(range.low, doubled - 1u), max(range.high, doubled));
}

// Whether all are 0, or at least 2^-102 and less than 2^87 in magnitude. Their sums are multiples of
// 2^-125, so never subnormal, and up to 2^40 of them stay below 2^127.
fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x18ffffffu) & (range.high < 0xd6000000u);
}

// The same of sums of up to 4096 elements: less than 2^114. Twice as many
// stay below 2^127, as do 192 such sums of a single pass.
fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x18ffffffu) & (range.high < 0xf1000000u);
}

// The same of one accumulator.
fn acc_is_safe_in_tile(acc: Acc) -> bool {
    let magnitude = acc & ~F32_SIGN_BIT;
    return (magnitude == 0u) | (magnitude - 0x0c800000u < 0x6c000000u);
}

// Whether a sum of elements that are safe in a tile can be added to what is before them: 0, or at least 2^-102 and less than 2^126.
fn carry_is_safe(carry: Acc) -> bool {
    let doubled = carry << 1u;
    return (doubled - 1u >= 0x18ffffffu) & (doubled < 0xfd000000u);
}
