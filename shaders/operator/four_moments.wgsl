// Of a run its sum R and squares M, as variances have them; C and Q, of which skewness and kurtosis are made; the extrema, and where in the
// run they are; and how many elements are NaN. docs/float-sums.md defines them. What is here is of integers, for any values.

// No member begins elsewhere than where the one before it ends, of f32s as of f64s.
struct Acc {
    sum: Elem,
    // Never negative.
    squares: Elem,
    // C and Q, which are f64s.
    cubes: vec2<u32>,
    fourths: vec2<u32>,
    // Of all elements the least key, as key.wgsl@nans has it, and the largest. A NaN has the best key of both.
    least: Key,
    largest: Key,
    // The lower halves of where these are, and of how many elements are NaN,
    least_at: u32,
    largest_at: u32,
    nans: u32,
    // and their higher ones; and the level: the run has 2^level elements.
    high_parts: u32,
}

const SHUFFLED_WORDS = ACC_WORDS;

const WIDE_ZERO = vec2<u32>(0u, 0u);
const WIDE_ONE = vec2<u32>(0u, 0x3ff00000u);
const WIDE_THREE = vec2<u32>(0u, 0x40080000u);
const WIDE_SIX = vec2<u32>(0u, 0x40180000u);
const WIDE_THREE_QUARTERS = vec2<u32>(0u, 0x3fe80000u);
const WIDE_THREE_EIGHTHS = vec2<u32>(0u, 0x3fd80000u);

fn op_identity() -> Acc {
    let zero = MOMENT_ZERO;
    return Acc(zero, zero, WIDE_ZERO, WIDE_ZERO, key_identity(), key_identity(), 0u, 0u, 0u, 0u);
}

fn op_lift(bits: Elem) -> Acc {
    let nans = select(0u, 1u, elem_is_nan(bits));
    let least = least_key(bits);
    return Acc(bits, MOMENT_ZERO, WIDE_ZERO, WIDE_ZERO, least, largest_key(bits), 0u, 0u, nans, 0u);
}

fn wide_negated(bits: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(bits.x, bits.y ^ F64_SIGN_BIT);
}

struct High {
    cubes: vec2<u32>,
    fourths: vec2<u32>,
}

// Of a run with these moments.
fn acc_of(
    sum: Elem,
    squares: Elem,
    high: High,
    least: Key,
    largest: Key,
    least_at: u32,
    largest_at: u32,
    nans: u32,
    high_parts: u32,
) -> Acc {
    return Acc(
        sum,
        squares,
        high.cubes,
        high.fourths,
        least,
        largest,
        least_at,
        largest_at,
        nans,
        high_parts,
    );
}

// C and Q of two halves, whose sums are so far apart; or, if it `folds`, T and U of runs, of which b comes last, with such a distance of its
// mean from the first one's.
//
// Each step makes a product and a sum of what the steps before it have made. All products are one, and all sums, in a loop with a bound that
// compilers do not know, because either is long.
fn high_join(a: Acc, b: Acc, between: Elem, folds: bool) -> High {
    let distance = widened(between);
    let level = i32(run_level(b));
    let of_a = widened(moments_squares(a));
    let of_b = widened(moments_squares(b));
    var product = WIDE_ZERO;
    var sum = WIDE_ZERO;
    // What later steps take.
    var step = distance;
    var square = WIDE_ZERO;
    var kept = WIDE_ZERO;
    var squares = WIDE_ZERO;
    var lean = WIDE_ZERO;
    var high = High(WIDE_ZERO, WIDE_ZERO);
    let nothing = nothing_of(params);
    for (var i = 0u; i < HIGH_STEPS + nothing; i++) {
        var x = WIDE_ZERO;
        var y = WIDE_ONE;
        var scale = 0;
        var u = WIDE_ZERO;
        var v = WIDE_ZERO;
        if folds {
            switch i {
                case 0u: {
                    x = step;
                    y = step;
                }
                case 1u: {
                    square = product;
                    x = product;
                    scale = level;
                }
                case 2u: {
                    kept = product;
                    x = WIDE_THREE;
                    y = of_b;
                }
                case 3u: {
                    u = product;
                    v = kept;
                    x = WIDE_SIX;
                    y = of_b;
                }
                case 4u: {
                    u = product;
                    v = kept;
                    x = step;
                    y = sum;
                }
                case 5u: {
                    u = b.cubes;
                    v = product;
                    x = square;
                    y = sum;
                }
                case 6u: {
                    lean = product;
                    u = a.cubes;
                    v = sum;
                    x = step;
                    y = b.cubes;
                }
                case 7u: {
                    high.cubes = sum;
                    x = product;
                    scale = 2;
                }
                case 8u: {
                    u = b.fourths;
                    v = product;
                }
                case 9u: {
                    u = sum;
                    v = lean;
                }
                default: {
                    u = a.fourths;
                    v = sum;
                }
            }
        } else {
            switch i {
                case 0u: {
                    x = distance;
                    scale = 1 - level;
                    u = of_b;
                    v = wide_negated(of_a);
                }
                case 1u: {
                    step = product;
                    kept = sum;
                    x = product;
                    y = product;
                    u = of_a;
                    v = of_b;
                }
                case 2u: {
                    square = product;
                    squares = sum;
                    x = step;
                    y = kept;
                    u = b.cubes;
                    v = wide_negated(a.cubes);
                }
                case 3u: {
                    kept = sum;
                    x = WIDE_THREE_QUARTERS;
                    y = product;
                    u = a.cubes;
                    v = b.cubes;
                }
                case 4u: {
                    u = sum;
                    v = product;
                    x = step;
                    y = kept;
                }
                case 5u: {
                    high.cubes = sum;
                    lean = product;
                    x = WIDE_THREE_EIGHTHS;
                    y = squares;
                    u = a.fourths;
                    v = b.fourths;
                }
                case 6u: {
                    squares = product;
                    kept = sum;
                    x = square;
                    scale = level - 7;
                }
                case 7u: {
                    u = squares;
                    v = product;
                }
                case 8u: {
                    x = square;
                    y = sum;
                }
                case 9u: {
                    u = product;
                    v = lean;
                }
                default: {
                    u = kept;
                    v = sum;
                }
            }
        }
        product = f64_multiply_scaled(x, y, scale);
        sum = f64_add_scaled(u, 0, v, 0);
    }
    high.fourths = sum;
    return high;
}

const HIGH_STEPS = 11u;

// One NaN, and no negative zero.
fn wide_canonical(bits: vec2<u32>) -> vec2<u32> {
    return select(select(bits, F64_CANONICAL_NAN, f64_is_nan(bits)), WIDE_ZERO, f64_is_zero(bits));
}

// Moments of f32s, as words.

@if(f32) const ACC_WORDS = 12u;
// The first words, which hold no extremum.
@if(f32) const SUMS_WORDS = 6u;
@if(f32) const OUT_WORDS = 15u;

@if(f32) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.sum,
        acc.squares,
        acc.cubes.x,
        acc.cubes.y,
        acc.fourths.x,
        acc.fourths.y,
        acc.least,
        acc.largest,
        acc.least_at,
        acc.largest_at,
        acc.nans,
        acc.high_parts,
    );
}

@if(f32) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(
        words[0],
        words[1],
        vec2<u32>(words[2], words[3]),
        vec2<u32>(words[4], words[5]),
        words[6],
        words[7],
        words[8],
        words[9],
        words[10],
        words[11],
    );
}

// The f64 that an f32 is.
@if(f32) fn widened(bits: Elem) -> vec2<u32> {
    let sign = bits & F32_SIGN_BIT;
    let magnitude = bits & ~F32_SIGN_BIT;
    if magnitude >= F32_INFINITY_BITS {
        return select(vec2<u32>(0u, sign | F64_INFINITY_HIGH), F64_CANONICAL_NAN, f32_is_nan(bits));
    }
    if magnitude == 0u {
        return vec2<u32>(0u, sign);
    }
    // Of a subnormal number the leading bit becomes the hidden one.
    let up = select(countLeadingZeros(magnitude) - 8u, 0u, magnitude >= F32_HIDDEN_BIT);
    let field = select(897u - up, (magnitude >> 23u) + 896u, magnitude >= F32_HIDDEN_BIT);
    let fraction = (magnitude << up) & F32_FRACTION_MASK;
    return vec2<u32>(fraction << 29u, sign | (field << 20u) | (fraction >> 3u));
}

@if(f32) fn canonical(bits: Elem) -> Elem {
    let number = select(bits, 0u, (bits & ~F32_SIGN_BIT) == 0u);
    return select(number, F32_CANONICAL_NAN_BITS, f32_is_nan(bits));
}

// What the host makes of it is documented at `Moments`.
@if(f32) fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let cubes = wide_canonical(total.run.cubes);
    let fourths = wide_canonical(total.run.fourths);
    let least_at = least_at_of(total.run);
    let largest_at = largest_at_of(total.run);
    let nans = nans_of(total.run);
    return array<u32, OUT_WORDS>(
        canonical(total.sum),
        canonical(total.drift),
        canonical(moments_squares(total.run)),
        cubes.x,
        cubes.y,
        fourths.x,
        fourths.y,
        least_at.x,
        least_at.y,
        least_bits(total.run.least),
        largest_at.x,
        largest_at.y,
        largest_bits(total.run.largest),
        nans.x,
        nans.y,
    );
}

// Moments of f64s, as words.

@if(f64) const ACC_WORDS = 16u;
@if(f64) const OUT_WORDS = 20u;

@if(f64) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.sum.x,
        acc.sum.y,
        acc.squares.x,
        acc.squares.y,
        acc.cubes.x,
        acc.cubes.y,
        acc.fourths.x,
        acc.fourths.y,
        acc.least.x,
        acc.least.y,
        acc.largest.x,
        acc.largest.y,
        acc.least_at,
        acc.largest_at,
        acc.nans,
        acc.high_parts,
    );
}

@if(f64) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(
        Elem(words[0], words[1]),
        Elem(words[2], words[3]),
        vec2<u32>(words[4], words[5]),
        vec2<u32>(words[6], words[7]),
        Key(words[8], words[9]),
        Key(words[10], words[11]),
        words[12],
        words[13],
        words[14],
        words[15],
    );
}

@if(f64) fn widened(bits: Elem) -> vec2<u32> {
    return bits;
}

// What the host makes of it is documented at `Moments`.
@if(f64) fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let sum = wide_canonical(total.sum);
    let drift = wide_canonical(total.drift);
    let squares = wide_canonical(moments_squares(total.run));
    let cubes = wide_canonical(total.run.cubes);
    let fourths = wide_canonical(total.run.fourths);
    let least_at = least_at_of(total.run);
    let least = least_bits(total.run.least);
    let largest_at = largest_at_of(total.run);
    let largest = largest_bits(total.run.largest);
    let nans = nans_of(total.run);
    return array<u32, OUT_WORDS>(
        sum.x,
        sum.y,
        drift.x,
        drift.y,
        squares.x,
        squares.y,
        cubes.x,
        cubes.y,
        fourths.x,
        fourths.y,
        least_at.x,
        least_at.y,
        least.x,
        least.y,
        largest_at.x,
        largest_at.y,
        largest.x,
        largest.y,
        nans.x,
        nans.y,
    );
}

// Third and fourth moments of runs of f32s by the device's f64s, each operation fenced. Of what is in range these neither overflow nor underflow.

@if(hardware) fn rounded(x: f64) -> f64 {
    return f64_of(fence_f64(x));
}

// The f64 that a number times 2^power is, which is 0 or normal. The device's conversion is faster, but might be anything.
@if(hardware) fn wide_of(bits: u32, power: i32) -> f64 {
    let magnitude = bits & ~F32_SIGN_BIT;
    let scaled = (magnitude >> 3u) + (u32(896 + power) << 20u);
    let high = (bits & F32_SIGN_BIT) | select(scaled, 0u, magnitude == 0u);
    return f64_of(vec2<u32>(bits << 29u, high));
}

// The same of squares, which have no sign.
@if(hardware) fn wide_of_squares(bits: u32) -> f64 {
    return f64_of(vec2<u32>(bits << 29u, select((bits >> 3u) + (896u << 20u), 0u, bits == 0u)));
}

// Times 2^power, which is exact.
@if(hardware) fn wide_scaled(x: f64, power: i32) -> f64 {
    return rounded(x * f64_of(vec2<u32>(0u, u32(1023 + power) << 20u)));
}

// C and Q of two halves of a level that are so far apart.
@if(hardware) fn device_high(a: Acc, b: Acc, distance: u32, level: u32) -> High {
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

// Runs are merged in integers throughout: no tile is the device's.

// The device itself makes no total.
@if(software) const CHECKS_TOTALS = true;

@if(software) fn total_is_right(total: Acc) -> bool {
    return false;
}

@if(software) const CHECKS_RANGE = true;

@if(software) fn range_is_safe(range: Range) -> bool {
    return false;
}

@if(software) fn range_is_safe_in_tile(range: Range) -> bool {
    return false;
}

@if(software) fn range_is_lost(range: Range) -> bool {
    return false;
}

// What is dropped, as all tiles are made again.
@if(software) fn op_combine(a: Acc, b: Acc) -> Acc {
    return op_identity();
}

@if(software) fn op_lost() -> Acc {
    return op_identity();
}

@if(software) fn op_combine_any(a: Acc, b: Acc) -> Acc {
    return moments_merge(a, b);
}

@if(software) fn op_is_right(a: Acc, b: Acc, combined: Acc) -> bool {
    return false;
}

@if(software) fn moments_add(a: Elem, a_scale: i32, b: Elem, b_scale: i32) -> Elem {
    return moment_sum(a, a_scale, b, b_scale);
}
