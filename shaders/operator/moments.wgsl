// The sum of the squared distances from the mean of all, divided by the degrees of freedom, and rounded.
@if(finish) fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    // Twice the same division, in a loop with a bound that compilers do not know. By no elements it gives NaN.
    var dividend = total.drift;
    var divisor = len;
    var quotient = MOMENT_ZERO;
    let nothing = nothing_of(params);
    for (var i = 0u; i < 2u + nothing; i++) {
        quotient = moment_quotient(dividend, divisor);
        if i == 0u {
            // The squares about the mean of the first run are too many.
            let excess = moment_product(quotient, dividend, 0);
            let squares = moments_squares(total.run);
            dividend = moment_sum(squares, 0, moment_negated(excess), 0);
            divisor = degrees_of(len);
        }
    }
    return moment_words(quotient);
}

// Two halves become a run; and the runs of a sequence, longest first, become its total.

@if(join) struct Joined {
    // The sum of the halves, or the drift.
    sum: Elem,
    squares: Elem,
    // Between the halves' sums, or between the means.
    distance: Elem,
}

// Merges two halves; or, if it `folds`, b comes after a, the first run, whose squares and drift are those of all runs before b.
//
// The four additions are one, in a loop with a bound that compilers do not know, because an addition of any values is long.
@if(join) fn moments_join(a: Acc, b: Acc, drift: Elem, folds: bool) -> Joined {
    let a_level = i32(run_level(a));
    let b_level = i32(run_level(b));
    let a_squares = moments_squares(a);
    let b_squares = moments_squares(b);
    // Which power of two times the distance squared is added.
    let square_scale = select(-(a_level + 1), b_level, folds);
    // First the distance between the halves' sums, or between the means.
    var x = run_sum(b);
    var y = moment_negated(run_sum(a));
    var x_scale = select(0, -b_level, folds);
    var y_scale = select(0, -a_level, folds);
    var square = MOMENT_ZERO;
    var joined = Joined(MOMENT_ZERO, MOMENT_ZERO, MOMENT_ZERO);
    let nothing = nothing_of(params);
    for (var i = 0u; i < 4u + nothing; i++) {
        let sum = moments_add(x, x_scale, y, y_scale);
        if i == 0u {
            joined.distance = sum;
            square = moment_product(sum, sum, square_scale);
            // Then the sums, or the distance and the drift.
            x = select(run_sum(a), drift, folds);
            y = select(run_sum(b), sum, folds);
            x_scale = 0;
            y_scale = select(0, b_level, folds);
        } else if i == 1u {
            joined.sum = sum;
            // Of halves their squares first,
            x = b_squares;
            y = select(a_squares, square, folds);
            y_scale = 0;
        } else {
            joined.squares = sum;
            // and then what is between them; of runs all that went before.
            x = sum;
            y = select(square, a_squares, folds);
        }
    }
    return joined;
}

// Of an element there are none, if it is finite.
@if(join) fn moments_squares(acc: Acc) -> Elem {
    return select(run_squares(acc), MOMENT_NAN, (run_level(acc) == 0u) & !moment_is_finite(run_sum(acc)));
}

// The moments of a sequence, of its runs' in order, longest first.
@if(total) struct Total {
    // Of the first run the sum and the level, and the squares of all about its mean.
    run: Acc,
    // The sum of the distances from that mean.
    drift: Elem,
}

// A run has no other half that would leave it as it is.
@if(total) const IDENTITY_IS_NEUTRAL = false;

// The device may not be right for a distance, which no range of elements tells.
@if(total) const CHECKS_TOTALS = true;

@if(total) fn total_of(run: Acc) -> Total {
    return Total(run, MOMENT_ZERO);
}

@if(total) fn total_run(total: Total) -> Acc {
    return total.run;
}

// On the way up the total is that of a run's right half; on the way down the run comes after it.
@if(total) fn total_join(total: Total, run: Acc, is_up: bool) -> Total {
    let left = acc_select(total.run, run, is_up);
    let right = acc_select(run, total.run, is_up);
    let joined = moments_join(left, right, total.drift, !is_up);
    let merged = run_of(joined.sum, joined.squares, left.level + 1u);
    let folded = run_of(run_sum(left), joined.squares, left.level);
    return Total(acc_select(folded, merged, is_up), joined.sum);
}

@if(total) fn moments_merge(a: Acc, b: Acc) -> Acc {
    let joined = moments_join(a, b, MOMENT_ZERO, false);
    return run_of(joined.sum, joined.squares, a.level + 1u);
}

// Runs are merged in integers throughout, for devices whose arithmetic failed the start-up probe: no tile is right.

@if(software) fn op_combine(a: Acc, b: Acc) -> Acc {
    return run_of(run_sum(a), run_squares(a), a.level + 1u);
}

@if(software) fn total_is_right(total: Acc) -> bool {
    return false;
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
