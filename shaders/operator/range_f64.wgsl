// The range of f64s.

const CHECKS_RANGE = true;

// What is known of the elements of a lane: the extremes of twice their high words, in which the sign drops out, with a last bit that
// says whether there is a low word. (A high word of 0 alone would not tell subnormals from zeros.)
struct Range {
    // Of these, less one: zeros become the largest.
    low: u32,
    high: u32,
}

fn range_word(bits: vec2<u32>) -> u32 {
    return (bits.y << 1u) | min(bits.x, 1u);
}

fn range_start() -> Range {
    return Range(0xffffffffu, 0u);
}

fn range_include_elems(range: Range, values: Quad) -> Range {
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
fn range_is_lost(range: Range) -> bool {
    return range.high > 0xffe00000u;
}
