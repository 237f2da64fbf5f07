// For which elements and accumulators the device's arithmetic is sure to be right.

// For operators that combine any accumulators by `op_combine`: nothing is out of range.
@if(any) const CHECKS_RANGE = false;

@if(any) fn range_is_safe(range: Range) -> bool {
    return true;
}

@if(any) fn range_is_safe_in_tile(range: Range) -> bool {
    return true;
}

@if(any) fn carry_is_safe(carry: Acc) -> bool {
    return true;
}

@if(any) fn op_combine_any(a: Acc, b: Acc) -> Acc {
    return op_combine(a, b);
}

// Where a range needs not be known: all accumulators are in it, or none is.
@if(none) alias Range = u32;

@if(none) fn range_start() -> Range {
    return 0u;
}

@if(none) fn range_include_elems(range: Range, values: Quad) -> Range {
    return range;
}

@if(none) fn range_include_acc(range: Range, acc: Acc) -> Range {
    return range;
}

// No elements are in a range that the device is right for.

@if(empty) fn range_include_acc(range: Range, acc: Acc) -> Range {
    return range;
}

@if(empty) fn range_is_safe(range: Range) -> bool {
    return false;
}

@if(empty) fn range_is_safe_in_tile(range: Range) -> bool {
    return false;
}

// Which f32s the device adds as IEEE-754 says, however many there are.

@if(addends) fn range_include_acc(range: Range, acc: Acc) -> Range {
    let doubled = acc << 1u;
    return Range(min(range.low, doubled - 1u), max(range.high, doubled));
}

// Whether all are 0, or at least 2^-102 and less than 2^87 in magnitude. Their sums are multiples of
// 2^-125, so never subnormal, and up to 2^40 of them stay below 2^127.
@if(addends) fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x18ffffffu) & (range.high < 0xd6000000u);
}

// The same of sums of up to 4096 elements: less than 2^114. Twice as many
// stay below 2^127, as do 192 such sums of a single pass.
@if(addends) fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x18ffffffu) & (range.high < 0xf1000000u);
}

// The same of one accumulator.
@if(addends) fn acc_is_safe_in_tile(acc: Acc) -> bool {
    let magnitude = acc & ~F32_SIGN_BIT;
    return (magnitude == 0u) | (magnitude - 0x0c800000u < 0x6c000000u);
}

// Whether a sum of elements that are safe in a tile can be added to what is before them: 0, or at least 2^-102 and less than 2^126.
@if(addends) fn carry_is_safe(carry: Acc) -> bool {
    let doubled = carry << 1u;
    return (doubled - 1u >= 0x18ffffffu) & (doubled < 0xfd000000u);
}

// The range of f32s.

@if(f32) const CHECKS_RANGE = true;

// What is known of the elements of a lane: the extremes of their doubled bits, in which the sign drops out.
@if(f32) struct Range {
    // Of twice the bits, less one: zeros become the largest.
    low: u32,
    high: u32,
}

@if(f32) fn range_start() -> Range {
    return Range(0xffffffffu, 0u);
}

@if(f32) fn range_include_elems(range: Range, values: Quad) -> Range {
    let doubled = values << vec4<u32>(1u);
    let less_one = doubled - vec4<u32>(1u);
    let low = min(min(less_one.x, less_one.y), min(less_one.z, less_one.w));
    let high = max(max(doubled.x, doubled.y), max(doubled.z, doubled.w));
    return Range(min(range.low, low), max(range.high, high));
}

// Sums of f32s are lost where there is a NaN.

// Whether there is a NaN. Then every sum is one, too.
@if(f32_lost) fn range_is_lost(range: Range) -> bool {
    return range.high > 0xff000000u;
}

// Of which f32s the device makes products, and their sums, as IEEE-754 says, however many there are.

// A sum of products has a range of its own: 0, or at least 2^-102 and less than 2^87 in magnitude.
@if(factors) fn range_include_acc(range: Range, acc: Acc) -> Range {
    let doubled = acc << 1u;
    let is_safe = (doubled - 1u >= 0x18ffffffu) & (doubled < 0xd6000000u);
    return Range(select(0u, range.low, is_safe), range.high);
}

// Whether all factors are 0, or at least 2^-51 and less than 2^43 in magnitude. Their products are 0, or at least 2^-102, and less
// than 2^86: as it takes to add them up.
@if(factors) fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x4bffffffu) & (range.high < 0xaa000000u);
}

// The same of sums of up to 4096 products: factors less than 2^57.
@if(factors) fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x4bffffffu) & (range.high < 0xb8000000u);
}

// The range of f64s.

@if(f64) const CHECKS_RANGE = true;

// What is known of the elements of a lane: the extremes of twice their high words, in which the sign drops out, with a last bit that
// says whether there is a low word. (A high word of 0 alone would not tell subnormals from zeros.)
@if(f64) struct Range {
    // Of these, less one: zeros become the largest.
    low: u32,
    high: u32,
}

@if(f64) fn range_word(bits: vec2<u32>) -> u32 {
    return (bits.y << 1u) | min(bits.x, 1u);
}

@if(f64) fn range_start() -> Range {
    return Range(0xffffffffu, 0u);
}

@if(f64) fn range_include_elems(range: Range, values: Quad) -> Range {
    let words = vec4<u32>(
        range_word(values.x),
        range_word(values.y),
        range_word(values.z),
        range_word(values.w),
    );
    let less_one = words - vec4<u32>(1u);
    let low = min(min(less_one.x, less_one.y), min(less_one.z, less_one.w));
    let high = max(max(words.x, words.y), max(words.z, words.w));
    return Range(min(range.low, low), max(range.high, high));
}

// Whether there is a NaN. Then every sum is one, too.
@if(f64) fn range_is_lost(range: Range) -> bool {
    return range.high > 0xffe00000u;
}

// Which f64s the device adds as IEEE-754 says, however many there are.

@if(f64_addends) fn range_include_acc(range: Range, acc: Acc) -> Range {
    let word = range_word(acc);
    return Range(min(range.low, word - 1u), max(range.high, word));
}

// Whether all are 0, or at least 2^-969 and less than 2^983 in magnitude. Their sums are multiples of
// 2^-1021, so never subnormal, and up to 2^40 of them stay below 2^1023.
@if(f64_addends) fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x06bfffffu) & (range.high < 0xfac00000u);
}

// The same of sums of up to 4096 elements: less than 2^1010. Twice as many
// stay below 2^1023, as do 192 such sums of a single pass.
@if(f64_addends) fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x06bfffffu) & (range.high < 0xfe200000u);
}

// Whether a sum of elements that are safe in a tile can be added to what is before them: 0, or at least 2^-969 and less than 2^1022.
@if(f64_addends) fn carry_is_safe(carry: Acc) -> bool {
    let word = range_word(carry);
    return (word - 1u >= 0x06bfffffu) & (word < 0xffa00000u);
}

// Of which f64s the device makes products, and their sums, as IEEE-754 says, however many there are.

// A sum of products has a range of its own: 0, or at least 2^-969 and less than 2^983 in magnitude.
@if(f64_factors) fn range_include_acc(range: Range, acc: Acc) -> Range {
    let word = range_word(acc);
    let is_safe = (word - 1u >= 0x06bfffffu) & (word < 0xfac00000u);
    return Range(select(0u, range.low, is_safe), range.high);
}

// Whether all factors are 0, or at least 2^-484 and less than 2^491 in magnitude. Their products are 0, or at least 2^-968, and less
// than 2^982: as it takes to add them up.
@if(f64_factors) fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x435fffffu) & (range.high < 0xbd400000u);
}

// The same of sums of up to 4096 products: factors less than 2^505.
@if(f64_factors) fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x435fffffu) & (range.high < 0xbf000000u);
}

// Of which f32s the device may make moments.

// A block's total has a range of its own: neither its sum nor its squares are subnormal, and 2^9 of them have sums below 2^62.
@if(moments) fn range_include_acc(range: Range, acc: Acc) -> Range {
    let sum = acc.sum << 1u;
    let squares = acc.squares << 1u;
    let is_safe = (sum - 1u >= 0x00ffffffu) & (sum < 0xb4000000u)
        & (squares - 1u >= 0x00ffffffu) & (squares < 0xee000000u);
    return Range(select(0u, range.low, is_safe), range.high);
}

// Whether no element is subnormal, and all are less than 2^42 in magnitude. Then distances of up to 2^21 of them, which are in a block,
// are less than 2^63, and their squares less than 2^126. Where a sum or a distance is subnormal, the total shows it.
@if(moments) fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x00ffffffu) & (range.high < 0xa9000000u);
}

@if(moments) fn range_is_safe_in_tile(range: Range) -> bool {
    return range_is_safe(range);
}

// Of which f32s the device may make moments, extrema and places: those of which it may make a variance, and none of them NaN.

// Whether a run's numbers are such that the device may merge it with another one: neither its sum nor its squares are subnormal, and sums of
// 2^9 such are below 2^62; and neither a NaN nor an element behind the first 2^32 is in it.
@if(two_moments) fn is_in_range(acc: Acc) -> bool {
    let sum = acc.sum << 1u;
    let squares = acc.squares << 1u;
    return (sum - 1u >= 0x00ffffffu) & (sum < 0xb4000000u)
        & (squares - 1u >= 0x00ffffffu) & (squares < 0xee000000u)
        & ((acc.nans | (acc.high_parts >> 5u)) == 0u);
}

@if(two_moments) fn range_include_acc(range: Range, acc: Acc) -> Range {
    return Range(select(0u, range.low, is_in_range(acc)), range.high);
}

// As section moments has it: no element is subnormal, and all are less than 2^42 in magnitude.
@if(two_moments) fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x00ffffffu) & (range.high < 0xa9000000u);
}

@if(two_moments) fn range_is_safe_in_tile(range: Range) -> bool {
    return range_is_safe(range);
}

// Of which f32s the device may make all moments. Those of variances are 2^-101 at least, or 0: then sums and their distances are whole multiples of
// 2^-125, and none is subnormal. A variance would take such a distance for 0, which is right there; a fourth power takes what it is.

@if(four_moments) const LEAST_DOUBLED_LESS_ONE = 0x19ffffffu;

// Whether a run's numbers are such that the device may merge it with another one: neither a NaN nor an element behind the first 2^32 is in it.
@if(four_moments) fn is_in_range(acc: Acc) -> bool {
    let sum = acc.sum << 1u;
    let squares = acc.squares << 1u;
    return (sum - 1u >= LEAST_DOUBLED_LESS_ONE) & (sum < 0xb4000000u)
        & (squares - 1u >= 0x00ffffffu) & (squares < 0xee000000u)
        & is_middling(acc.cubes) & is_middling(acc.fourths)
        & ((acc.nans | (acc.high_parts >> 5u)) == 0u);
}

// 0, or from 2^-600 to 2^400: what comes of merging such numbers, and distances, is normal.
@if(four_moments) fn is_middling(bits: vec2<u32>) -> bool {
    return (((bits.y << 1u) - (423u << 21u)) < (1000u << 21u)) | f64_is_zero(bits);
}

@if(four_moments) fn range_include_acc(range: Range, acc: Acc) -> Range {
    return Range(select(0u, range.low, is_in_range(acc)), range.high);
}

// Whether all elements are less than 2^42 in magnitude, and none is too small.
@if(four_moments) fn range_is_safe(range: Range) -> bool {
    return (range.low >= LEAST_DOUBLED_LESS_ONE) & (range.high < 0xa9000000u);
}

@if(four_moments) fn range_is_safe_in_tile(range: Range) -> bool {
    return range_is_safe(range);
}
