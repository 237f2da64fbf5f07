// Which f64s a window holds.

// The extremes of the elements' high words, doubled, so that the sign drops out; one more if the low word is not 0.
struct Range {
    // The smallest, less one: zeros become the largest.
    low: u32,
    high: u32,
}

fn range_of_quad(quad: Quad) -> Range {
    let one = vec4<u32>(1u);
    let low_words = vec4<u32>(quad.x.x, quad.y.x, quad.z.x, quad.w.x);
    let words = (high_words(quad) << one) | min(low_words, one);
    let low = words - one;
    return Range(
        min(min(low.x, low.y), min(low.z, low.w)),
        max(max(words.x, words.y), max(words.z, words.w)),
    );
}

fn high_words(quad: Quad) -> vec4<u32> {
    return vec4<u32>(quad.x.y, quad.y.y, quad.z.y, quad.w.y);
}

fn range_of(group: Group) -> Range {
    let a = range_of_quad(group.load0);
    let b = range_of_quad(group.load1);
    let c = range_of_quad(group.load2);
    let d = range_of_quad(group.load3);
    return Range(
        min(min(a.low, b.low), min(c.low, d.low)),
        max(max(a.high, b.high), max(c.high, d.high)),
    );
}

// Zeros are in every window.
fn window_holds(top: u32, range: Range) -> bool {
    return range.low >= ((top - 31u) << 21u) - 1u && range.high < ((top + 1u) << 21u);
}

// The same as `window_holds`, in half the time, but for zeros: it takes them for too far away.
fn window_holds_without_zeros(top: u32, group: Group) -> bool {
    let low = vec4<u32>((top - 31u) << 21u);
    let one = vec4<u32>(1u);
    // How far above the lowest the doubled high words lie; what is below it wraps around.
    let above = max(
        max((high_words(group.load0) << one) - low, (high_words(group.load1) << one) - low),
        max((high_words(group.load2) << one) - low, (high_words(group.load3) << one) - low),
    );
    return max(max(above.x, above.y), max(above.z, above.w)) < (32u << 21u);
}
