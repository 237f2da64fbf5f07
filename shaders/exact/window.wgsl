// Most elements of most inputs lie within 19 binades, a window. The device's adder splits such an element
// into two multiples of fixed units, without error, and their sums are sums of integers: two additions for
// an element, instead of one in shared memory.
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
}

// The lowest part of an element in the lowest window is 2^-126, a normal number; 1.5 * 2^k is finite in the
// highest.
const MIN_TOP = 44u;
const MAX_TOP = 252u;
// Lower parts are at most 2^21, so sums of 1023 fit 32 bits. A lane adds 16 at a time.
const MAX_COUNT = 1008u;

fn window_start() -> Window {
    return Window(MIN_TOP, 0u, 0u, 0u);
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
    return Range(min(min(low.x, low.y), min(low.z, low.w)), max(max(high.x, high.y), max(high.z, high.w)));
}

// Zeros are in every window.
fn window_holds(top: u32, range: Range) -> bool {
    return range.low >= ((top - 20u) << 24u) - 1u && range.high < ((top - 1u) << 24u);
}

// A window with a binade to spare above these elements.
fn window_over(range: Range) -> Window {
    return Window(clamp((range.high >> 24u) + 3u, MIN_TOP, MAX_TOP), 0u, 0u, 0u);
}

// Moves what is in the window to the cells.
fn window_flush(window: Window) {
    if window.count != 0u {
        deposit(window.top + 1u, window.upper - window.count * upper_anchor(window.top));
        deposit(window.top - 21u, window.lower - window.count * lower_anchor(window.top));
    }
}

fn fence4(x: vec4<f32>) -> vec4<u32> {
    return bitcast<vec4<u32>>(x) ^ vec4<u32>(params.zero);
}

fn window_add_elements(window: Window, elements: vec4<Elem>) -> Window {
    let x = bitcast<vec4<f32>>(elements);
    let upper_anchor = bitcast<f32>(upper_anchor(window.top));
    let lower_anchor = bitcast<f32>(lower_anchor(window.top));
    let upper = fence4(x + upper_anchor);
    let kept = fence4(bitcast<vec4<f32>>(upper) - upper_anchor);
    let rest = fence4(x - bitcast<vec4<f32>>(kept));
    let lower = fence4(bitcast<vec4<f32>>(rest) + lower_anchor);
    return Window(
        window.top,
        window.upper + upper.x + upper.y + upper.z + upper.w,
        window.lower + lower.x + lower.y + lower.z + lower.w,
        window.count + 4u,
    );
}

// Adds four rows' elements, in a window if one holds them.
fn window_add(old: Window, rows: Rows) -> Window {
    var window = old;
    let range = range_of(rows);
    if !window_holds(window.top, range) || window.count == MAX_COUNT {
        window_flush(window);
        window = window_over(range);
        if !window_holds(window.top, range) {
            deposit_rows(rows);
            return window;
        }
    }
    window = window_add_elements(window, rows.row0);
    window = window_add_elements(window, rows.row1);
    window = window_add_elements(window, rows.row2);
    return window_add_elements(window, rows.row3);
}
