// Most f64s of most inputs lie within 32 binades, a window. In it an element is an integer of 84 bits: its significand, shifted
// by as much as its exponent field is above the window's lowest. Its complement stands for what is below zero, and digits of
// 16 bits are added up without a carry. Nothing but integers, so it needs no f64s.

struct Window {
    // Exponent fields from top - 31 to top are in the window.
    top: u32,
    // Sums of the elements' digits, and of what is above those, in two's complement.
    digits: vec4<u32>,
    above: u32,
    // How many elements there are below zero: each complement is one too small.
    negatives: u32,
    // How many they are.
    count: u32,
    // Of groups that no window held, one after another: 0 if the last was held, 2 after the first that was not.
    failures: u32,
}

// The lowest field is at least that of the smallest normal numbers, and the highest at most that of the largest.
const MIN_TOP = 32u;
const MAX_TOP = 2046u;
// Above the digits an element has 20 bits, and a sign: so 2047 of them fit. A lane adds 16 at a time.
const MAX_COUNT = 2032u;

// The same, without failures.
fn window_unfailing(window: Window) -> Window {
    return Window(window.top, window.digits, window.above, window.negatives, window.count, 0u);
}

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
    return (range.low >= ((top - 31u) << 21u) - 1u) & (range.high < ((top + 1u) << 21u));
}

// An empty window with four binades to spare above these elements.
fn window_over(range: Range) -> Window {
    let top = clamp((range.high >> 21u) + 4u, MIN_TOP, MAX_TOP);
    return Window(top, vec4<u32>(0u), 0u, 0u, 0u, 0u);
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

// Moves what is in the window to the cells.
fn window_flush(lane_index: u32, window: Window) {
    if window.count != 0u {
        let digit0 = window.digits.x + window.negatives;
        let digit1 = window.digits.y + (digit0 >> 16u);
        let digit2 = window.digits.z + (digit1 >> 16u);
        let digit3 = window.digits.w + (digit2 >> 16u);
        // The sum in two's complement, and its magnitude.
        let high = window.above + (digit3 >> 16u);
        let sign = high >> 31u;
        let flip = 0u - sign;
        let low_magnitude = (((digit0 & 0xffffu) | (digit1 << 16u)) ^ flip) + sign;
        let carry = select(0u, sign, low_magnitude == 0u);
        let middle_magnitude = (((digit2 & 0xffffu) | (digit3 << 16u)) ^ flip) + carry;
        let high_magnitude = (high ^ flip) + select(0u, carry, middle_magnitude == 0u);
        let position = window.top - 31u;
        // In units of 2^-1075.
        make_two_deposits(
            deposit_of_part(lane_index, sign, position, low_magnitude),
            deposit_of_part(lane_index, sign, position + 32u, middle_magnitude),
        );
        make_deposit(deposit_of_part(lane_index, sign, position + 64u, high_magnitude));
    }
}

// With an element that is in it; else it means nothing.
fn window_with_element(window: Window, bits: Elem) -> Window {
    let field = extractBits(bits.y, 20u, 11u);
    // Zeros have no leading bit.
    let significand_high = (bits.y & 0x000fffffu) | (min(field, 1u) << 20u);
    let down = (window.top - field) & 31u;
    let up = down ^ 31u;
    let sign = bits.y >> 31u;
    let flip = 0u - sign;
    let low = (bits.x << up) ^ flip;
    let middle = ((significand_high << up) | ((bits.x >> 1u) >> down)) ^ flip;
    let above = ((significand_high >> 1u) >> down) ^ flip;
    return Window(
        window.top,
        window.digits + vec4<u32>(low & 0xffffu, low >> 16u, middle & 0xffffu, middle >> 16u),
        window.above + above,
        window.negatives + sign,
        window.count + 1u,
        0u,
    );
}

fn window_with_quad(window: Window, quad: Quad) -> Window {
    let with_x = window_with_element(window, quad.x);
    let with_y = window_with_element(with_x, quad.y);
    let with_z = window_with_element(with_y, quad.z);
    return window_with_element(with_z, quad.w);
}

// With a group that it holds; else it means nothing.
fn window_with(window: Window, group: Group) -> Window {
    let with0 = window_with_quad(window, group.load0);
    let with1 = window_with_quad(with0, group.load1);
    let with2 = window_with_quad(with1, group.load2);
    return window_with_quad(with2, group.load3);
}
