// The moments of a sequence, of its runs' in order, longest first.
struct Total {
    // Of the first run the sum and the level, and the squares of all about its mean.
    run: Acc,
    // The sum of the distances from that mean.
    drift: Elem,
}

// A run has no other half that would leave it as it is.
const IDENTITY_IS_NEUTRAL = false;

// The device may not be right for a distance, which no range of elements tells.
const CHECKS_TOTALS = true;

fn total_of(run: Acc) -> Total {
    return Total(run, MOMENT_ZERO);
}

fn total_run(total: Total) -> Acc {
    return total.run;
}

// On the way up the total is that of a run's right half; on the way down the run comes after it.
fn total_join(total: Total, run: Acc, is_up: bool) -> Total {
    let left = acc_select(total.run, run, is_up);
    let right = acc_select(run, total.run, is_up);
    let joined = moments_join(left, right, total.drift, !is_up);
    let merged = run_of(joined.sum, joined.squares, left.level + 1u);
    let folded = run_of(run_sum(left), joined.squares, left.level);
    return Total(acc_select(folded, merged, is_up), joined.sum);
}

fn moments_merge(a: Acc, b: Acc) -> Acc {
    let joined = moments_join(a, b, MOMENT_ZERO, false);
    return run_of(joined.sum, joined.squares, a.level + 1u);
}
