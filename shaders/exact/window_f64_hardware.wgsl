// Most f64s of most inputs lie within 32 binades, a window. The device's adder splits such an element into two multiples of fixed units, without
// error, as window.wgsl has it of f32s, and adds up the parts. Their sums are exact, too: no bit of them is below the unit, and they stay below 2^53 of it.

struct Window {
    // Exponent fields from top - 31 to top are in the window. With e for top - 1023, elements are less than 2^(e + 1), and multiples of 2^(e - 83).
    top: u32,
    // The sum of what is a multiple of 2^(e - 41), and of what is left, which is at most half of that.
    upper: f64,
    lower: f64,
    // How many elements they are of.
    count: u32,
    // Of groups that no window held, one after another: 0 if the last was held, 2 after the first that was not.
    failures: u32,
}

// In the lowest window no part is subnormal, and in the highest one the anchor is finite.
const MIN_TOP = 84u;
const MAX_TOP = 2034u;
// Sums of 2048 upper parts are at most 2^53 units, and of as many lower ones 2^52. A lane adds 16 at a time.
const MAX_COUNT = 2032u;

// The same, without failures.
fn window_unfailing(window: Window) -> Window {
    return Window(window.top, window.upper, window.lower, window.count, 0u);
}

// An empty window with four binades to spare above these elements.
fn window_over(range: Range) -> Window {
    let top = clamp((range.high >> 21u) + 4u, MIN_TOP, MAX_TOP);
    let nothing = f64_of(vec2<u32>());
    return Window(top, nothing, nothing, 0u, 0u);
}

// Moves what is in the window to the cells.
fn window_flush(lane_index: u32, window: Window) {
    if window.count != 0u {
        deposit_element(lane_index, fence_f64(window.upper));
        deposit_element(lane_index, fence_f64(window.lower));
    }
}

fn rounded(x: f64) -> f64 {
    return f64_of(fence_f64(x));
}

// An element in two parts.
struct Parts {
    upper: f64,
    lower: f64,
}

// The anchor is 1.5 * 2^(e + 11): what is added to it is rounded to a multiple of the upper unit.
fn parts_of(bits: Elem, anchor: f64) -> Parts {
    let element = f64_of(bits);
    let upper = rounded(rounded(element + anchor) - anchor);
    return Parts(upper, rounded(element - upper));
}

// Nothing is rounded, whatever the order.
fn sum_of(sum: f64, x: f64, y: f64, z: f64, w: f64) -> f64 {
    return rounded(sum + rounded(rounded(x + y) + rounded(z + w)));
}

fn window_with_quad(window: Window, quad: Quad) -> Window {
    let anchor = f64_of(vec2<u32>(0u, ((window.top + 11u) << 20u) | 0x00080000u));
    let x = parts_of(quad.x, anchor);
    let y = parts_of(quad.y, anchor);
    let z = parts_of(quad.z, anchor);
    let w = parts_of(quad.w, anchor);
    return Window(
        window.top,
        sum_of(window.upper, x.upper, y.upper, z.upper, w.upper),
        sum_of(window.lower, x.lower, y.lower, z.lower, w.lower),
        window.count + 4u,
        0u,
    );
}

// With a group that it holds; else it means nothing.
fn window_with(window: Window, group: Group) -> Window {
    let with0 = window_with_quad(window, group.load0);
    let with1 = window_with_quad(with0, group.load1);
    let with2 = window_with_quad(with1, group.load2);
    return window_with_quad(with2, group.load3);
}
