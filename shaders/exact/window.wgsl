// Most elements of most inputs lie within 19 binades, a window. The device's adder splits such an element
// into two multiples of fixed units, without error, and their sums are sums of integers: two additions for
// an element, and nothing in memory.
//
// Adding 1.5 * 2^k to a small float rounds it to a multiple of 2^(k - 23) (nearest even), and leaves that
// multiple in the last bits of the sum: J. Demmel and H. D. Nguyen, "Parallel reproducible summation" (2015),
// where they split once more. The device must round to nearest, as the start-up probe has seen; no
// number here is subnormal or infinite.

@if(f32) struct Window {
    // Exponent fields from top - 20 to top - 2 are in the window.
    top: u32,
    // Sums of the bits of what became of the elements: upper and lower part.
    upper: u32,
    lower: u32,
    // How many they are.
    count: u32,
    // Of groups that no window held, one after another: 0 if the last was held, 2 after the first that was not.
    failures: u32,
}

// The lowest part of an element in the lowest window is 2^-126, a normal number; 1.5 * 2^k is finite in the
// highest.
@if(f32) const MIN_TOP = 44u;
@if(f32) const MAX_TOP = 252u;
// Lower parts are at most 2^21, so sums of 1023 fit 32 bits. A lane adds 16 at a time.
@if(f32) const MAX_COUNT = 1008u;

// The same, without failures.
@if(f32) fn window_unfailing(window: Window) -> Window {
    return Window(window.top, window.upper, window.lower, window.count, 0u);
}

@if(f32) fn upper_anchor(top: u32) -> u32 {
    return ((top + 2u) << 23u) | 0x00400000u;
}

@if(f32) fn lower_anchor(top: u32) -> u32 {
    return ((top - 20u) << 23u) | 0x00400000u;
}

// The extremes of the elements' doubled bits, in which the sign drops out.
@if(f32) struct Range {
    // Of twice the bits, less one: zeros become the largest.
    low: u32,
    high: u32,
}

@if(f32) fn range_of(group: Group) -> Range {
    let one = vec4<u32>(1u);
    let a = group.load0 << one;
    let b = group.load1 << one;
    let c = group.load2 << one;
    let d = group.load3 << one;
    let low = min(min(a - one, b - one), min(c - one, d - one));
    let high = max(max(a, b), max(c, d));
    return Range(
        min(min(low.x, low.y), min(low.z, low.w)),
        max(max(high.x, high.y), max(high.z, high.w)),
    );
}

// Zeros are in every window.
@if(f32) fn window_holds(top: u32, range: Range) -> bool {
    return (range.low >= ((top - 20u) << 24u) - 1u) & (range.high < ((top - 1u) << 24u));
}

// An empty window with a binade to spare above these elements.
@if(f32) fn window_over(range: Range) -> Window {
    return Window(clamp((range.high >> 24u) + 3u, MIN_TOP, MAX_TOP), 0u, 0u, 0u, 0u);
}

// The same as `window_holds`, in half the time, but for zeros: it takes them for too far away.
@if(f32) fn window_holds_without_zeros(top: u32, group: Group) -> bool {
    let low = vec4<u32>((top - 20u) << 24u);
    let one = vec4<u32>(1u);
    // How far above the lowest the doubled bits lie; what is below it wraps around.
    let above = max(
        max((group.load0 << one) - low, (group.load1 << one) - low),
        max((group.load2 << one) - low, (group.load3 << one) - low),
    );
    return max(max(above.x, above.y), max(above.z, above.w)) < (19u << 24u);
}

// For value * 2^position, a two's complement value.
@if(f32) fn deposit_of_part(lane_index: u32, position: u32, value: u32) -> Deposit {
    let negative = value >> 31u;
    let cell = (negative << 3u) | (position >> 5u);
    let magnitude = select(value, 0u - value, negative == 1u);
    return deposit_of(lane_index, cell, position & 31u, magnitude);
}

// Moves what is in the window to the cells.
@if(f32) fn window_flush(lane_index: u32, window: Window) {
    if window.count != 0u {
        let upper = window.upper - window.count * upper_anchor(window.top);
        let lower = window.lower - window.count * lower_anchor(window.top);
        // In units of 2^-150.
        make_two_deposits(
            deposit_of_part(lane_index, window.top + 2u, upper),
            deposit_of_part(lane_index, window.top - 20u, lower),
        );
    }
}

// An element in two parts, as the bits of sums with the anchors.
@if(f32) struct Parts {
    upper: u32,
    lower: u32,
}

@if(f32) fn parts_of(element: Elem, upper_anchor: f32, lower_anchor: f32) -> Parts {
    let upper = fence(bitcast<f32>(element) + upper_anchor);
    let kept = fence(bitcast<f32>(upper) - upper_anchor);
    let rest = fence(bitcast<f32>(element) - bitcast<f32>(kept));
    return Parts(upper, fence(bitcast<f32>(rest) + lower_anchor));
}

@if(f32) fn window_with_elements(window: Window, elements: vec4<Elem>) -> Window {
    let upper_anchor = bitcast<f32>(upper_anchor(window.top));
    let lower_anchor = bitcast<f32>(lower_anchor(window.top));
    let x = parts_of(elements.x, upper_anchor, lower_anchor);
    let y = parts_of(elements.y, upper_anchor, lower_anchor);
    let z = parts_of(elements.z, upper_anchor, lower_anchor);
    let w = parts_of(elements.w, upper_anchor, lower_anchor);
    return Window(
        window.top,
        window.upper + (x.upper + y.upper + z.upper + w.upper),
        window.lower + (x.lower + y.lower + z.lower + w.lower),
        window.count + 4u,
        0u,
    );
}

// With a group that it holds; else it means nothing.
@if(f32) fn window_with(window: Window, group: Group) -> Window {
    let with0 = window_with_elements(window, group.load0);
    let with1 = window_with_elements(with0, group.load1);
    let with2 = window_with_elements(with1, group.load2);
    return window_with_elements(with2, group.load3);
}

// Most f64s of most inputs lie within 32 binades, a window. In it an element is an integer of 84 bits: its significand, shifted
// by as much as its exponent field is above the window's lowest. Its complement stands for what is below zero, and digits of
// 16 bits are added up without a carry. Nothing but integers, so it needs no f64s.

@if(f64) struct Window {
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
@if(f64) const MIN_TOP = 32u;
@if(f64) const MAX_TOP = 2046u;
// Above the digits an element has 20 bits, and a sign: so 2047 of them fit. A lane adds 16 at a time.
@if(f64) const MAX_COUNT = 2032u;

// The same, without failures.
@if(f64) fn window_unfailing(window: Window) -> Window {
    return Window(window.top, window.digits, window.above, window.negatives, window.count, 0u);
}

// The extremes of the elements' high words, doubled, so that the sign drops out; one more if the low word is not 0.
@if(f64) struct Range {
    // The smallest, less one: zeros become the largest.
    low: u32,
    high: u32,
}

@if(f64) fn range_of_quad(quad: Quad) -> Range {
    let one = vec4<u32>(1u);
    let low_words = vec4<u32>(quad.x.x, quad.y.x, quad.z.x, quad.w.x);
    let words = (high_words(quad) << one) | min(low_words, one);
    let low = words - one;
    return Range(
        min(min(low.x, low.y), min(low.z, low.w)),
        max(max(words.x, words.y), max(words.z, words.w)),
    );
}

@if(f64) fn high_words(quad: Quad) -> vec4<u32> {
    return vec4<u32>(quad.x.y, quad.y.y, quad.z.y, quad.w.y);
}

@if(f64) fn range_of(group: Group) -> Range {
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
@if(f64) fn window_holds(top: u32, range: Range) -> bool {
    return (range.low >= ((top - 31u) << 21u) - 1u) & (range.high < ((top + 1u) << 21u));
}

// An empty window with four binades to spare above these elements.
@if(f64) fn window_over(range: Range) -> Window {
    let top = clamp((range.high >> 21u) + 4u, MIN_TOP, MAX_TOP);
    return Window(top, vec4<u32>(0u), 0u, 0u, 0u, 0u);
}

// The same as `window_holds`, in half the time, but for zeros: it takes them for too far away.
@if(f64) fn window_holds_without_zeros(top: u32, group: Group) -> bool {
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
@if(f64) fn window_flush(lane_index: u32, window: Window) {
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
@if(f64) fn window_with_element(window: Window, bits: Elem) -> Window {
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

@if(f64) fn window_with_quad(window: Window, quad: Quad) -> Window {
    let with_x = window_with_element(window, quad.x);
    let with_y = window_with_element(with_x, quad.y);
    let with_z = window_with_element(with_y, quad.z);
    return window_with_element(with_z, quad.w);
}

// With a group that it holds; else it means nothing.
@if(f64) fn window_with(window: Window, group: Group) -> Window {
    let with0 = window_with_quad(window, group.load0);
    let with1 = window_with_quad(with0, group.load1);
    let with2 = window_with_quad(with1, group.load2);
    return window_with_quad(with2, group.load3);
}

// In place of the window, for devices whose adder failed the start-up probe: every element is deposited by itself. Nothing but
// integers.

@if(none) alias Window = u32;

@if(none) fn window_start(group: Group) -> Window {
    return 0u;
}

@if(none) fn window_add(lane_index: u32, window: Window, group: Group, place: Place) -> Window {
    // The loop keeps the code short: not every compiler bears it four times.
    var rest = group;
    for (var row = 0u; row < 4u; row++) {
        deposit_elements(lane_index, rest.load0);
        rest = Group(rest.load1, rest.load2, rest.load3, rest.load0);
    }
    return window;
}

@if(none) fn window_flush(lane_index: u32, window: Window) {}

// A lane's window follows the elements: where it does not hold a group, it moves, and where no window does, cells take the
// group.

// After the second group a lane does not ask for a window before the count has gone to the pause's end, and to 0.
@if(moves) const MAX_FAILURES = 3u;
@if(moves) const PAUSE_FAILURES = 16u;

@if(moves) fn window_start(group: Group) -> Window {
    return window_over(range_of(group));
}

// Adds a group, which was loaded from its place.
@if(moves) fn window_add(lane_index: u32, old: Window, group: Group, place: Place) -> Window {
    var window = old;
    var holds = (window.failures < MAX_FAILURES)
        & (window.count < MAX_COUNT)
        & window_holds_without_zeros(window.top, group);
    if !holds {
        if window.failures < MAX_FAILURES {
            window = window_move(lane_index, window, range_of(group));
            holds = window.failures == 0u;
        }
        if !holds {
            deposit_group(lane_index, place);
            window.failures = (window.failures + 1u) % PAUSE_FAILURES;
        }
    }
    if holds {
        window = window_with(window, group);
    }
    return window;
}

// A window for a group: the same, if there are just zeros in it; or another. Without failures if it holds the
// group.
@if(moves) fn window_move(lane_index: u32, old: Window, range: Range) -> Window {
    if window_holds(old.top, range) & (old.count < MAX_COUNT) {
        return window_unfailing(old);
    }
    window_flush(lane_index, old);
    var window = window_over(range);
    if !window_holds(window.top, range) {
        window.failures = max(old.failures, 1u);
    }
    return window;
}
