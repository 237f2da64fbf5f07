// What moments, extrema and where they are, and numbers of NaNs have in common, whether there are third and fourth moments or not: what is
// merged of two runs, and what the runs of a sequence come to. It is of integers, for any values.

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
    return acc_of(
        sum,
        squares,
        high,
        key_larger(a.least, b.least),
        key_larger(a.largest, b.largest),
        least_at.x,
        largest_at.x,
        nans.x,
        high_parts,
    );
}

// Two halves of a run.
fn moments_merge(a: Acc, b: Acc) -> Acc {
    let joined = moments_join(a, b, MOMENT_ZERO, false);
    let high = high_join(a, b, joined.distance, false);
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
    let high = high_join(left, right, joined.distance, !is_up);
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

// Runs of f32s are merged by the device's arithmetic, each operation fenced: sums and squares as those of a variance are.

@if(hardware) const CHECKS_TOTALS = true;

// Two halves that are in range together, none of it NaN, with these extrema. Its numbers have a word.
@if(hardware) fn sums_join(a: Acc, b: Acc, least: u32, largest: u32, least_at: u32, largest_at: u32) -> Acc {
    let level = run_level(a);
    let distance = device_difference(b.sum, a.sum);
    let high = device_high(a, b, distance, level);
    return acc_of(
        device_sum(a.sum, b.sum),
        device_squares(distance, level, a.squares, b.squares),
        high,
        least,
        largest,
        least_at,
        largest_at,
        0u,
        level + 1u,
    );
}

// The extrema are left as a has them.
@if(hardware) fn sums_combine(a: Acc, b: Acc) -> Acc {
    return sums_join(a, b, a.least, a.largest, a.least_at, a.largest_at);
}

@if(hardware) fn op_combine(a: Acc, b: Acc) -> Acc {
    let count = 1u << run_level(a);
    return sums_join(
        a,
        b,
        key_larger(a.least, b.least),
        key_larger(a.largest, b.largest),
        select(a.least_at, b.least_at + count, key_less(a.least, b.least)),
        select(a.largest_at, b.largest_at + count, key_less(a.largest, b.largest)),
    );
}

// For any.
@if(hardware) fn op_combine_any(a: Acc, b: Acc) -> Acc {
    if is_in_range(a) & is_in_range(b) {
        let merged = op_combine(a, b);
        if total_is_right(merged) {
            return merged;
        }
    }
    return moments_merge(a, b);
}

// No tile is lost by a NaN: how many there are is a part of the result.
@if(hardware) fn op_lost() -> Acc {
    return op_identity();
}

@if(hardware) fn range_is_lost(range: Range) -> bool {
    return false;
}
