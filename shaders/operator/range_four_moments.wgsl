// Of which f32s the device may make all moments. Those of variances are 2^-101 at least, or 0: then sums and their distances are whole multiples of
// 2^-125, and none is subnormal. A variance would take such a distance for 0, which is right there; a fourth power takes what it is.

const LEAST_DOUBLED_LESS_ONE = 0x19ffffffu;

// Whether a run's numbers are such that the device may merge it with another one: neither a NaN nor an element behind the first 2^32 is in it.
fn is_in_range(acc: Acc) -> bool {
    let sum = acc.sum << 1u;
    let squares = acc.squares << 1u;
    return (sum - 1u >= LEAST_DOUBLED_LESS_ONE) & (sum < 0xb4000000u)
        & (squares - 1u >= 0x00ffffffu) & (squares < 0xee000000u)
        & is_middling(acc.cubes) & is_middling(acc.fourths)
        & ((acc.nans | (acc.high_parts >> 5u)) == 0u);
}

// 0, or from 2^-600 to 2^400: what comes of merging such numbers, and distances, is normal.
fn is_middling(bits: vec2<u32>) -> bool {
    return (((bits.y << 1u) - (423u << 21u)) < (1000u << 21u)) | f64_is_zero(bits);
}

fn range_include_acc(range: Range, acc: Acc) -> Range {
    return Range(select(0u, range.low, is_in_range(acc)), range.high);
}

// Whether all elements are less than 2^42 in magnitude, and none is too small.
fn range_is_safe(range: Range) -> bool {
    return (range.low >= LEAST_DOUBLED_LESS_ONE) & (range.high < 0xa9000000u);
}

fn range_is_safe_in_tile(range: Range) -> bool {
    return range_is_safe(range);
}
