// Runs of f32s are merged by the device's arithmetic, each operation fenced: sums and squares as those of a variance are, and all else by its
// f64s. Of what is in range these neither overflow nor underflow.

const CHECKS_TOTALS = true;

fn rounded(x: f64) -> f64 {
    return f64_of(fence_f64(x));
}

// The f64 that a number is, which is 0 or normal. The device's conversion may flush, and was slower.
fn wide_of(bits: u32) -> f64 {
    let magnitude = bits & ~F32_SIGN_BIT;
    let high = (bits & F32_SIGN_BIT) | select((magnitude >> 3u) + (896u << 20u), 0u, magnitude == 0u);
    return f64_of(vec2<u32>(bits << 29u, high));
}

// Times 2^power, which is exact.
fn wide_scaled(x: f64, power: i32) -> f64 {
    return rounded(x * f64_of(vec2<u32>(0u, u32(1023 + power) << 20u)));
}

// C and Q of two halves of a level that are so far apart.
fn device_high(a: Acc, b: Acc, distance: u32, level: u32) -> High {
    let step = wide_scaled(wide_of(distance), 1 - i32(level));
    let square = rounded(step * step);
    let scaled = wide_scaled(square, i32(level) - 7);
    // Elements have neither squares nor higher powers.
    if level == 0u {
        return High(WIDE_ZERO, fence_f64(square * scaled));
    }
    let of_a = wide_of(a.squares);
    let of_b = wide_of(b.squares);
    let lean = rounded(step * rounded(of_b - of_a));
    let cubes = rounded(f64_of(a.cubes) + f64_of(b.cubes));
    let weight = rounded(rounded(f64_of(WIDE_THREE_EIGHTHS) * rounded(of_a + of_b)) + scaled);
    let between = rounded(step * rounded(f64_of(b.cubes) - f64_of(a.cubes)));
    let more = rounded(rounded(square * weight) + between);
    let fourths = rounded(f64_of(a.fourths) + f64_of(b.fourths));
    return High(
        fence_f64(cubes + rounded(f64_of(WIDE_THREE_QUARTERS) * lean)),
        fence_f64(fourths + more),
    );
}

// For what is in range together, none of it NaN. Its numbers have a word.
fn op_combine(a: Acc, b: Acc) -> Acc {
    let level = run_level(a);
    let distance = device_difference(b.sum, a.sum);
    let high = device_high(a, b, distance, level);
    let count = 1u << level;
    return Acc(
        device_sum(a.sum, b.sum),
        device_squares(distance, level, a.squares, b.squares),
        high.cubes,
        high.fourths,
        key_larger(a.least, b.least),
        key_larger(a.largest, b.largest),
        select(a.least_at, b.least_at + count, key_less(a.least, b.least)),
        select(a.largest_at, b.largest_at + count, key_less(a.largest, b.largest)),
        0u,
        level + 1u,
    );
}

// For any.
fn op_combine_any(a: Acc, b: Acc) -> Acc {
    if is_in_range(a) && is_in_range(b) {
        let merged = op_combine(a, b);
        if total_is_right(merged) {
            return merged;
        }
    }
    return moments_merge(a, b);
}

// No tile is lost by a NaN: how many there are is a part of the result.
fn op_lost() -> Acc {
    return op_identity();
}

fn range_is_lost(range: Range) -> bool {
    return false;
}
