// The device's arithmetic for moments of f32s, each operation fenced. WGSL lets a device flush subnormals, and take it that there are no
// infinities and NaNs. So it merges what is sure to give none of them, and integers merge the rest.

// What squares come to with a distance that the device may not be right for: 2^112 is far above all others.
const WRONG_SQUARES_BITS = 0x77800000u;
const LEAST_WRONG_BITS = 0x77000000u;

fn device_sum(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) + bitcast<f32>(b));
}

fn device_difference(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) - bitcast<f32>(b));
}

fn device_product(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) * bitcast<f32>(b));
}

// The squares of two halves of a level that are so far apart. Distances d have to be 0, or such that neither d^2 nor d^2 / 2^(level + 1) is
// subnormal.
fn device_squares(distance: u32, level: u32, of_a: u32, of_b: u32) -> u32 {
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
fn total_is_right(total: Acc) -> bool {
    return total.squares < LEAST_WRONG_BITS;
}

// Whether the device was right can't be seen in what it made.
fn op_is_right(a: Acc, b: Acc, combined: Acc) -> bool {
    return false;
}

// By the device where it can be seen to be right, which is where numbers and their sum are normal.
fn moments_add(a: u32, a_scale: i32, b: u32, b_scale: i32) -> u32 {
    let sum = device_sum(a, b);
    if ((a_scale | b_scale) == 0) & is_normal(a) & is_normal(b) & is_normal(sum) {
        return sum;
    }
    return f32_add_scaled(a, a_scale, b, b_scale);
}
