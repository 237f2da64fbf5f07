// The moments of a run of f64s: its sum R and the sum M of the squared distances from its mean, as docs/float-sums.md defines them.
//
// Words by themselves: vectors would begin at multiples of their size, and not fit the memory of a workgroup.
struct Acc {
    sum_low: u32,
    sum_high: u32,
    // Never negative.
    squares_low: u32,
    squares_high: u32,
    // The run has 2^level elements.
    level: u32,
}

const ACC_WORDS = 5u;
// Accumulators that combine are of one level.
const SHUFFLED_WORDS = 4u;
const OUT_WORDS = 2u;

fn op_identity() -> Acc {
    return Acc(0u, 0u, 0u, 0u, 0u);
}

fn op_lift(bits: Elem) -> Acc {
    return run_of(bits, MOMENT_ZERO, 0u);
}

// Of a tile with a NaN.
fn op_lost() -> Acc {
    return run_of(F64_CANONICAL_NAN, F64_CANONICAL_NAN, 0u);
}

fn run_of(sum: Elem, squares: Elem, level: u32) -> Acc {
    return Acc(sum.x, sum.y, squares.x, squares.y, level);
}

fn run_sum(acc: Acc) -> Elem {
    return Elem(acc.sum_low, acc.sum_high);
}

fn run_level(acc: Acc) -> u32 {
    return acc.level;
}

fn run_squares(acc: Acc) -> Elem {
    return Elem(acc.squares_low, acc.squares_high);
}

fn moment_words(bits: Elem) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(bits.x, bits.y);
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.sum_low,
        acc.sum_high,
        acc.squares_low,
        acc.squares_high,
        acc.level,
    );
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1], words[2], words[3], words[4]);
}

// What is done with moments of f64s, in integers.

@if(lift) const MOMENT_ZERO = Elem(0u, 0u);
@if(lift) const MOMENT_NAN = F64_CANONICAL_NAN;

@if(lift) fn moment_negated(bits: Elem) -> Elem {
    return Elem(bits.x, bits.y ^ F64_SIGN_BIT);
}

@if(lift) fn moment_is_finite(bits: Elem) -> bool {
    return (bits.y & F64_INFINITY_HIGH) != F64_INFINITY_HIGH;
}

@if(lift) fn moment_sum(a: Elem, a_scale: i32, b: Elem, b_scale: i32) -> Elem {
    return f64_add_scaled(a, a_scale, b, b_scale);
}

@if(lift) fn moment_product(a: Elem, b: Elem, scale: i32) -> Elem {
    return f64_multiply_scaled(a, b, scale);
}

@if(lift) fn moment_quotient(total: Elem, len: vec2<u32>) -> Elem {
    return f64_mean(total, len);
}
