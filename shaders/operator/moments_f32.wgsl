// The moments of a run: its sum R and the sum M of the squared distances from its mean, as docs/float-sums.md defines them.
struct Acc {
    sum: Elem,
    // Never negative.
    squares: Elem,
    // The run has 2^level elements.
    level: u32,
}

const ACC_WORDS = 3u;
// Accumulators that combine are of one level.
const SHUFFLED_WORDS = 2u;
const OUT_WORDS = 1u;

fn op_identity() -> Acc {
    return Acc(0u, 0u, 0u);
}

fn op_lift(bits: Elem) -> Acc {
    return Acc(bits, 0u, 0u);
}

// Of a tile with a NaN.
fn op_lost() -> Acc {
    return Acc(F32_CANONICAL_NAN_BITS, F32_CANONICAL_NAN_BITS, 0u);
}

fn run_of(sum: Elem, squares: Elem, level: u32) -> Acc {
    return Acc(sum, squares, level);
}

fn run_sum(acc: Acc) -> Elem {
    return acc.sum;
}

fn run_level(acc: Acc) -> u32 {
    return acc.level;
}

fn run_squares(acc: Acc) -> Elem {
    return acc.squares;
}

fn moment_words(bits: Elem) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(bits);
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc.sum, acc.squares, acc.level);
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1], words[2]);
}

// The device's arithmetic for moments of f32s, each operation fenced. WGSL lets a device flush subnormals, and take it that there are no
// infinities and NaNs. So it merges what is sure to give none of them, and integers merge the rest.

// What squares come to with a distance that the device may not be right for: 2^112 is far above all others.
@if(device) const WRONG_SQUARES_BITS = 0x77800000u;
@if(device) const LEAST_WRONG_BITS = 0x77000000u;

@if(device) fn device_sum(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) + bitcast<f32>(b));
}

@if(device) fn device_difference(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) - bitcast<f32>(b));
}

@if(device) fn device_product(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) * bitcast<f32>(b));
}

// The squares of two halves of a level that are so far apart. Distances d have to be 0, or such that neither d^2 nor d^2 / 2^(level + 1) is
// subnormal.
@if(device) fn device_squares(distance: u32, level: u32, of_a: u32, of_b: u32) -> u32 {
    let is_small = (distance << 1u) - 1u < 0x3fffffffu + (((level + 2u) >> 1u) << 24u);
    // Times 2^-(level + 1), which is exact.
    let scaled = device_product(device_product(distance, distance), (126u - level) << 23u);
    let squares = select(scaled, WRONG_SQUARES_BITS, is_small);
    // Elements have none.
    if level == 0u {
        return squares;
    }
    return device_sum(device_sum(of_a, of_b), squares);
}

// Whether the device was right for what is in range.
@if(device) fn total_is_right(total: Acc) -> bool {
    return total.squares < LEAST_WRONG_BITS;
}

// Whether the device was right can't be seen in what it made.
@if(device) fn op_is_right(a: Acc, b: Acc, combined: Acc) -> bool {
    return false;
}

// By the device where it can be seen to be right, which is where numbers and their sum are normal.
@if(device) fn moments_add(a: u32, a_scale: i32, b: u32, b_scale: i32) -> u32 {
    let sum = device_sum(a, b);
    if ((a_scale | b_scale) == 0) & is_normal(a) & is_normal(b) & is_normal(sum) {
        return sum;
    }
    return f32_add_scaled(a, a_scale, b, b_scale);
}

// Runs of f32s are merged by the device's arithmetic.

// For what is in range together.
@if(hardware) fn op_combine(a: Acc, b: Acc) -> Acc {
    let distance = device_difference(b.sum, a.sum);
    let squares = device_squares(distance, a.level, a.squares, b.squares);
    return Acc(device_sum(a.sum, b.sum), squares, a.level + 1u);
}

// For any.
@if(hardware) fn op_combine_any(a: Acc, b: Acc) -> Acc {
    return moments_merge(a, b);
}

// What is done with moments of f32s, in integers.

@if(lift) const MOMENT_ZERO = 0u;
@if(lift) const MOMENT_NAN = F32_CANONICAL_NAN_BITS;

@if(lift) fn moment_negated(bits: Elem) -> Elem {
    return bits ^ F32_SIGN_BIT;
}

@if(lift) fn moment_is_finite(bits: Elem) -> bool {
    return (bits & F32_INFINITY_BITS) != F32_INFINITY_BITS;
}

@if(lift) fn moment_sum(a: Elem, a_scale: i32, b: Elem, b_scale: i32) -> Elem {
    return f32_add_scaled(a, a_scale, b, b_scale);
}

@if(lift) fn moment_product(a: Elem, b: Elem, scale: i32) -> Elem {
    return f32_multiply_scaled(a, b, scale);
}

@if(lift) fn moment_quotient(total: Elem, len: vec2<u32>) -> Elem {
    return f32_mean(total, len);
}
