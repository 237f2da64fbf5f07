// Two halves become a run; and the runs of a sequence, longest first, become its total.

struct Joined {
    // The sum of the halves, or the drift.
    sum: Elem,
    squares: Elem,
    // Between the halves' sums, or between the means.
    distance: Elem,
}

// Merges two halves; or, if it `folds`, b comes after a, the first run, whose squares and drift are those of all runs before b.
//
// The four additions are one, in a loop with a bound that compilers do not know, because an addition of any values is long.
fn moments_join(a: Acc, b: Acc, drift: Elem, folds: bool) -> Joined {
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
fn moments_squares(acc: Acc) -> Elem {
    return select(run_squares(acc), MOMENT_NAN, (run_level(acc) == 0u) & !moment_is_finite(run_sum(acc)));
}
