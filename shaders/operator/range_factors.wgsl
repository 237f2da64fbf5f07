// Of which f32s the device makes products, and their sums, as IEEE-754 says, however many there are.

// A sum of products has a range of its own: 0, or at least 2^-102 and less than 2^87 in magnitude.
fn range_include_acc(range: Range, acc: Acc) -> Range {
    let doubled = acc << 1u;
    let is_safe = (doubled - 1u >= 0x18ffffffu) & (doubled < 0xd6000000u);
    return Range(select(0u, range.low, is_safe), range.high);
}

// Whether all factors are 0, or at least 2^-51 and less than 2^43 in magnitude. Their products are 0, or at least 2^-102, and less
// than 2^86: as it takes to add them up.
fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x4bffffffu) & (range.high < 0xaa000000u);
}

// The same of sums of up to 4096 products: factors less than 2^57.
fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x4bffffffu) & (range.high < 0xb8000000u);
}
