// Runs of f32s are merged by the device's arithmetic, each operation fenced: sums and squares as those of a variance are.

const CHECKS_TOTALS = true;

// Two halves that are in range together, none of it NaN, with these extrema. Its numbers have a word.
fn sums_join(a: Acc, b: Acc, least: u32, largest: u32, least_at: u32, largest_at: u32) -> Acc {
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
fn sums_combine(a: Acc, b: Acc) -> Acc {
    return sums_join(a, b, a.least, a.largest, a.least_at, a.largest_at);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
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
fn op_combine_any(a: Acc, b: Acc) -> Acc {
    if is_in_range(a) & is_in_range(b) {
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
