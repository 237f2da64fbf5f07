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
    // Of all elements the least key, as nans.wgsl has it, and the largest. A NaN has the best key of both.
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
