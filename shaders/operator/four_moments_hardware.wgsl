// Third and fourth moments of runs of f32s by the device's f64s, each operation fenced. Of what is in range these neither overflow nor underflow.

fn rounded(x: f64) -> f64 {
    return f64_of(fence_f64(x));
}

// The f64 that a number times 2^power is, which is 0 or normal. The device's conversion is faster, but might be anything.
fn wide_of(bits: u32, power: i32) -> f64 {
    let magnitude = bits & ~F32_SIGN_BIT;
    let scaled = (magnitude >> 3u) + (u32(896 + power) << 20u);
    let high = (bits & F32_SIGN_BIT) | select(scaled, 0u, magnitude == 0u);
    return f64_of(vec2<u32>(bits << 29u, high));
}

// The same of squares, which have no sign.
fn wide_of_squares(bits: u32) -> f64 {
    return f64_of(vec2<u32>(bits << 29u, select((bits >> 3u) + (896u << 20u), 0u, bits == 0u)));
}

// Times 2^power, which is exact.
fn wide_scaled(x: f64, power: i32) -> f64 {
    return rounded(x * f64_of(vec2<u32>(0u, u32(1023 + power) << 20u)));
}

// C and Q of two halves of a level that are so far apart.
fn device_high(a: Acc, b: Acc, distance: u32, level: u32) -> High {
    // Elements have neither squares nor higher powers. A square has 48 bits, which are exact.
    if level == 0u {
        let apart = wide_of(distance, 0);
        let square = rounded(apart * apart);
        return High(WIDE_ZERO, fence_f64(square * wide_scaled(square, -3)));
    }
    let step = wide_of(distance, 1 - i32(level));
    let square = rounded(step * step);
    let scaled = wide_scaled(square, i32(level) - 7);
    let of_a = wide_of_squares(a.squares);
    let of_b = wide_of_squares(b.squares);
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
