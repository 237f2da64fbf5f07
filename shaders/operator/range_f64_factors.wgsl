// Of which f64s the device makes products, and their sums, as IEEE-754 says, however many there are.

// A sum of products has a range of its own: 0, or at least 2^-969 and less than 2^983 in magnitude.
fn range_include_acc(range: Range, acc: Acc) -> Range {
    let word = range_word(acc);
    let is_safe = (word - 1u >= 0x06bfffffu) & (word < 0xfac00000u);
    return Range(select(0u, range.low, is_safe), range.high);
}

// Whether all factors are 0, or at least 2^-484 and less than 2^491 in magnitude. Their products are 0, or at least 2^-968, and less
// than 2^982: as it takes to add them up.
fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x435fffffu) & (range.high < 0xbd400000u);
}

// The same of sums of up to 4096 products: factors less than 2^505.
fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x435fffffu) & (range.high < 0xbf000000u);
}
