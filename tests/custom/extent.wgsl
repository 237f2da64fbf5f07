// The smallest and the largest of numbers that are none of zero, subnormal, infinite or NaN.
struct Extent {
    low: f32,
    high: f32,
}

const FAR = 3e38f;

fn identity() -> Extent {
    return Extent(FAR, -FAR);
}

fn lift(x: f32) -> Extent {
    return Extent(x, x);
}

fn combine(a: Extent, b: Extent) -> Extent {
    return Extent(min(a.low, b.low), max(a.high, b.high));
}
