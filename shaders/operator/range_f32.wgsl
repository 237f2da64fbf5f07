// The range of f32s.

const CHECKS_RANGE = true;

// What is known of the elements of a lane: the extremes of their doubled bits, in which the sign drops out.
struct Range {
    // Of twice the bits, less one: zeros become the largest.
    low: u32,
    high: u32,
}

fn range_start() -> Range {
    return Range(0xffffffffu, 0u);
}

fn range_include_elems(range: Range, values: Quad) -> Range {
    let doubled = values << vec4<u32>(1u);
    let less_one = doubled - vec4<u32>(1u);
    let low = min(min(less_one.x, less_one.y), min(less_one.z, less_one.w));
    let high = max(max(doubled.x, doubled.y), max(doubled.z, doubled.w));
    return Range(min(range.low, low), max(range.high, high));
}
