// Third and fourth moments of runs of f32s by the device's f64s. Each operation is fenced that may round. Of what is in range these neither overflow nor underflow.

fn rounded(x: f64) -> f64 {
    return f64_of(fence_f64(x));
}

// The f64 that a number is, which is 0 or normal: the device has nothing to flush.
fn wide_of(bits: u32) -> f64 {
    return f64(bitcast<f32>(bits));
}

// Times 2^power. It is exact, and so is the same whatever a compiler makes one operation of. So it needs no fence.
fn wide_scaled(x: f64, power: i32) -> f64 {
    return x * f64_of(vec2<u32>(0u, u32(1023 + power) << 20u));
}

// C and Q of two halves of a level that are so far apart.
fn device_high(a: Acc, b: Acc, distance: u32, level: u32) -> High {
    let apart = wide_of(distance);
    // Elements have neither squares nor higher powers. A square has 48 bits, which are exact.
    if level == 0u {
        let square = rounded(apart * apart);
        return High(WIDE_ZERO, fence_f64(square * wide_scaled(square, -3)));
    }
    let step = wide_scaled(apart, 1 - i32(level));
    let square = rounded(step * step);
    let scaled = wide_scaled(square, i32(level) - 7);
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
