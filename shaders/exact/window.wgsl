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
    // Groups of rows in a row that no window held.
    failures: u32,
}

// The lowest parts of elements in the lowest window are buckets' business, and normal numbers; 1.5 * 2^k is
// finite in the highest.
const MIN_TOP = MIN_BUCKET_POSITION + 21u;
const MAX_TOP = 252u;
// Lower parts are at most 2^21.
const MAX_COUNT = 512u;
// After so many failures a lane does not ask again for a while.
const MAX_FAILURES = 2u;

fn window_start() -> Window {
    return Window(MIN_TOP, 0u, 0u, 0u, 0u);
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

fn range_of(rows: Rows) -> Range {
    let one = vec4<u32>(1u);
    let a = rows.row0 << one;
    let b = rows.row1 << one;
    let c = rows.row2 << one;
    let d = rows.row3 << one;
    let low = min(min(a - one, b - one), min(c - one, d - one));
    let high = max(max(a, b), max(c, d));
    return Range(
        min(min(low.x, low.y), min(low.z, low.w)),
        max(max(high.x, high.y), max(high.z, high.w)),
    );
}

// How far above `low` the doubled bits of the elements lie at most; those below it, very far.
fn spread_above(low: u32, rows: Rows) -> u32 {
    let floor = vec4<u32>(low);
    let one = vec4<u32>(1u);
    let spread = max(
        max((rows.row0 << one) - floor, (rows.row1 << one) - floor),
        max((rows.row2 << one) - floor, (rows.row3 << one) - floor),
    );
    return max(max(spread.x, spread.y), max(spread.z, spread.w));
}

// Zeros are in every window.
fn window_holds(top: u32, range: Range) -> bool {
    return range.low >= ((top - 20u) << 24u) - 1u && range.high < ((top - 1u) << 24u);
}

// A window with a binade to spare above these elements.
fn window_over(range: Range) -> Window {
    return Window(clamp((range.high >> 24u) + 3u, MIN_TOP, MAX_TOP), 0u, 0u, 0u, 0u);
}

// Moves what is in the window to the lane's buckets.
fn window_flush(lane_index: u32, window: Window) {
    if window.count != 0u {
        let upper = window.upper - window.count * upper_anchor(window.top);
        let lower = window.lower - window.count * lower_anchor(window.top);
        atomicStore(&has_deposits, 1u);
        bucket_add(lane_index, window.top + 1u, upper);
        bucket_add(lane_index, window.top - 21u, lower);
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

fn window_add_elements(window: Window, elements: vec4<Elem>) -> Window {
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

// Adds four rows' elements, in a window if one holds them.
fn window_add(lane_index: u32, old: Window, rows: Rows) -> Window {
    var window = old;
    var holds = window.failures < MAX_FAILURES
        && spread_above((window.top - 20u) << 24u, rows) < (19u << 24u);
    if !holds || window.count == MAX_COUNT {
        if window.failures < MAX_FAILURES {
            window = window_move(lane_index, window, rows);
            holds = window.failures == 0u;
        }
        if !holds {
            deposit_rows(lane_index, rows);
        }
    }
    if holds {
        window = window_add_elements(window, rows.row0);
        window = window_add_elements(window, rows.row1);
        window = window_add_elements(window, rows.row2);
        window = window_add_elements(window, rows.row3);
    }
    return window;
}

// A window for these elements: the same, if there are zeros among them; or another. If no window holds them, it
// counts one failure more.
fn window_move(lane_index: u32, old: Window, rows: Rows) -> Window {
    let range = range_of(rows);
    if window_holds(old.top, range) && old.count < MAX_COUNT {
        return Window(old.top, old.upper, old.lower, old.count, 0u);
    }
    window_flush(lane_index, old);
    var window = window_over(range);
    if !window_holds(window.top, range) {
        window.failures = old.failures + 1u;
    }
    return window;
}

// The window with its failures forgotten.
fn window_retry(window: Window) -> Window {
    return Window(window.top, window.upper, window.lower, window.count, 0u);
}
