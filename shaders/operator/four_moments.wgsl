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

fn run_sum(acc: Acc) -> Elem {
    return acc.sum;
}

fn run_squares(acc: Acc) -> Elem {
    return acc.squares;
}

fn run_level(acc: Acc) -> u32 {
    return acc.high_parts & 0x3fu;
}

fn least_at_of(acc: Acc) -> vec2<u32> {
    return vec2<u32>(acc.least_at, (acc.high_parts >> 6u) & 0xffu);
}

fn largest_at_of(acc: Acc) -> vec2<u32> {
    return vec2<u32>(acc.largest_at, (acc.high_parts >> 14u) & 0xffu);
}

fn nans_of(acc: Acc) -> vec2<u32> {
    return vec2<u32>(acc.nans, acc.high_parts >> 22u);
}

// Of 64 bits.
fn two_words_sum(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn two_to(level: u32) -> vec2<u32> {
    let bit = 1u << (level & 31u);
    return select(vec2<u32>(bit, 0u), vec2<u32>(0u, bit), level >= 32u);
}

// What is known of a and of b, which comes after so many elements, with these moments.
fn acc_join(
    a: Acc,
    b: Acc,
    before: vec2<u32>,
    level: u32,
    sum: Elem,
    squares: Elem,
    high: High,
) -> Acc {
    // Of several the first.
    let takes_least = key_less(a.least, b.least);
    let takes_largest = key_less(a.largest, b.largest);
    let least_at = select(least_at_of(a), two_words_sum(least_at_of(b), before), takes_least);
    let largest_at = select(largest_at_of(a), two_words_sum(largest_at_of(b), before), takes_largest);
    let nans = two_words_sum(nans_of(a), nans_of(b));
    let high_parts = level | (least_at.y << 6u) | (largest_at.y << 14u) | (nans.y << 22u);
    return Acc(
        sum,
        squares,
        high.cubes,
        high.fourths,
        key_larger(a.least, b.least),
        key_larger(a.largest, b.largest),
        least_at.x,
        largest_at.x,
        nans.x,
        high_parts,
    );
}

fn wide_negated(bits: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(bits.x, bits.y ^ F64_SIGN_BIT);
}

struct High {
    cubes: vec2<u32>,
    fourths: vec2<u32>,
}

// C and Q of two halves, whose sums are so far apart; or, if it `folds`, T and U of runs, of which b comes last, with such a distance of its
// mean from the first one's.
//
// Each step makes a product and a sum of what the steps before it have made. All products are one, and all sums, in a loop with a bound that
// compilers do not know, because either is long.
fn high_join(a: Acc, b: Acc, distance: vec2<u32>, folds: bool) -> High {
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

// Two halves of a run.
fn moments_merge(a: Acc, b: Acc) -> Acc {
    let joined = moments_join(a, b, MOMENT_ZERO, false);
    let high = high_join(a, b, widened(joined.distance), false);
    let level = run_level(a);
    return acc_join(a, b, two_to(level), level + 1u, joined.sum, joined.squares, high);
}

// The moments of a sequence, of its runs' in order, longest first.
struct Total {
    // Of the first run the sum and the level; all else about its mean, and of all.
    run: Acc,
    // The sum of the distances from that mean.
    drift: Elem,
    // The sum of the elements, and how many there are.
    sum: Elem,
    len: vec2<u32>,
}

// A run has no other half that would leave it as it is.
const IDENTITY_IS_NEUTRAL = false;

fn total_of(run: Acc) -> Total {
    return Total(run, MOMENT_ZERO, run_sum(run), two_to(run_level(run)));
}

fn total_run(total: Total) -> Acc {
    return total.run;
}

// On the way up the total is that of a run's right half; on the way down the run comes after it.
fn total_join(total: Total, run: Acc, is_up: bool) -> Total {
    let left = acc_select(total.run, run, is_up);
    let right = acc_select(run, total.run, is_up);
    let joined = moments_join(left, right, total.drift, !is_up);
    let high = high_join(left, right, widened(joined.distance), !is_up);
    let level = run_level(left);
    let before = select(total.len, two_to(level), is_up);
    let joined_level = select(level, level + 1u, is_up);
    let first_sum = select(run_sum(left), joined.sum, is_up);
    return Total(
        acc_join(left, right, before, joined_level, first_sum, joined.squares, high),
        select(joined.sum, MOMENT_ZERO, is_up),
        select(moments_add(total.sum, 0, run_sum(run), 0), joined.sum, is_up),
        select(two_words_sum(total.len, two_to(run_level(run))), two_to(level + 1u), is_up),
    );
}

// One NaN, and no negative zero.
fn wide_canonical(bits: vec2<u32>) -> vec2<u32> {
    return select(select(bits, F64_CANONICAL_NAN, f64_is_nan(bits)), WIDE_ZERO, f64_is_zero(bits));
}
