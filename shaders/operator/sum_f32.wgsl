// IEEE-754 additions by the device's adder, each fenced: the kernels' order of additions is the
// result's definition. WGSL lets a device flush subnormals, and take it that there are no infinities and
// NaNs. So it adds what is sure to give none of them, and integers add the rest.

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

fn range_include_acc(range: Range, acc: Acc) -> Range {
    let doubled = acc << 1u;
    return Range(min(range.low, doubled - 1u), max(range.high, doubled));
}

// Whether all are 0, or at least 2^-102 and less than 2^87 in magnitude. Their sums are multiples of
// 2^-125, so never subnormal, and up to 2^40 of them stay below 2^127.
fn range_is_safe(range: Range) -> bool {
    return range.low >= 0x18ffffffu && range.high < 0xd6000000u;
}

// The same of sums of up to 4096 elements: less than 2^114.
fn range_is_safe_in_tile(range: Range) -> bool {
    return range.low >= 0x18ffffffu && range.high < 0xf1000000u;
}

// Whether there is a NaN. Then every sum is one, too.
fn range_is_lost(range: Range) -> bool {
    return range.high > 0xff000000u;
}

fn op_lost() -> Acc {
    return F32_CANONICAL_NAN_BITS;
}

// For what is in a safe range together.
fn op_combine(a: Acc, b: Acc) -> Acc {
    return fence(bitcast<f32>(a) + bitcast<f32>(b));
}

// For anything: by the device where it can be seen to be right, which is where numbers and their sum are normal. (The sign
// of zero is lost in the end.)
fn op_combine_any(a: Acc, b: Acc) -> Acc {
    let sum = op_combine(a, b);
    if op_is_right(a, b, sum) {
        return sum;
    }
    return f32_add(a, b);
}

// Whether what the device adds up can be seen to be right.
fn op_is_right(a: Acc, b: Acc, sum: Acc) -> bool {
    let is_exact_zero = ((a | b) << 1u) == 0u;
    return is_zero_or_normal(a) && is_zero_or_normal(b) && (is_normal(sum) || is_exact_zero);
}

fn is_normal(bits: u32) -> bool {
    let doubled = bits << 1u;
    return doubled >= 0x01000000u && doubled < 0xff000000u;
}

fn is_zero_or_normal(bits: u32) -> bool {
    return is_normal(bits) || (bits << 1u) == 0u;
}
