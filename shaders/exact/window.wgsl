// Most elements of most inputs lie within 19 binades, a window. The device's adder splits such an element
// into two multiples of fixed units, without error, and their sums are sums of integers: two additions for
// an element, and nothing in memory.
//
// Adding 1.5 * 2^k to a small float rounds it to a multiple of 2^(k - 23) (nearest even), and leaves that
// multiple in the last bits of the sum: J. Demmel and H. D. Nguyen, "Parallel reproducible summation" (2015),
// where they split once more. The device must round to nearest, as the start-up probe has seen; no
// number here is subnormal or infinite.

struct Window {
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
const MIN_TOP = 44u;
const MAX_TOP = 252u;
// Lower parts are at most 2^21, so sums of 1023 fit 32 bits. A lane adds 16 at a time.
const MAX_COUNT = 1008u;

// The same, without failures.
fn window_unfailing(window: Window) -> Window {
    return Window(window.top, window.upper, window.lower, window.count, 0u);
}

fn upper_anchor(top: u32) -> u32 {
    return ((top + 2u) << 23u) | 0x00400000u;
}

fn lower_anchor(top: u32) -> u32 {
    return ((top - 20u) << 23u) | 0x00400000u;
}

// The extremes of the elements' doubled bits, in which the sign drops out.
struct Range {
    // Of twice the bits, less one: zeros become the largest.
    low: u32,
    high: u32,
}

fn range_of(group: Group) -> Range {
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
fn window_holds(top: u32, range: Range) -> bool {
    return (range.low >= ((top - 20u) << 24u) - 1u) & (range.high < ((top - 1u) << 24u));
}

// An empty window with a binade to spare above these elements.
fn window_over(range: Range) -> Window {
    return Window(clamp((range.high >> 24u) + 3u, MIN_TOP, MAX_TOP), 0u, 0u, 0u, 0u);
}

// The same as `window_holds`, in half the time, but for zeros: it takes them for too far away.
fn window_holds_without_zeros(top: u32, group: Group) -> bool {
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
fn deposit_of_part(lane_index: u32, position: u32, value: u32) -> Deposit {
    let negative = value >> 31u;
    let cell = (negative << 3u) | (position >> 5u);
    let magnitude = select(value, 0u - value, negative == 1u);
    return deposit_of(lane_index, cell, position & 31u, magnitude);
}

// Moves what is in the window to the cells.
fn window_flush(lane_index: u32, window: Window) {
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
struct Parts {
    upper: u32,
    lower: u32,
}

fn parts_of(element: Elem, upper_anchor: f32, lower_anchor: f32) -> Parts {
    let upper = fence(bitcast<f32>(element) + upper_anchor);
    let kept = fence(bitcast<f32>(upper) - upper_anchor);
    let rest = fence(bitcast<f32>(element) - bitcast<f32>(kept));
    return Parts(upper, fence(bitcast<f32>(rest) + lower_anchor));
}

fn window_with_elements(window: Window, elements: vec4<Elem>) -> Window {
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
fn window_with(window: Window, group: Group) -> Window {
    let with0 = window_with_elements(window, group.load0);
    let with1 = window_with_elements(with0, group.load1);
    let with2 = window_with_elements(with1, group.load2);
    return window_with_elements(with2, group.load3);
}
