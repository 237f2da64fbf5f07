// What the runs of a sequence come to, for operators whose total is an accumulator, like theirs.

// A run's other half may be the identity, and leaves it as it is.
const IDENTITY_IS_NEUTRAL = true;

// The device makes the right total of what is in range.
const CHECKS_TOTALS = false;

fn total_is_right(total: Acc) -> bool {
    return true;
}

fn total_of(run: Acc) -> Total {
    return run;
}

// On the way up the total is that of a run's right half; on the way down the run comes after it.
fn total_join(total: Total, run: Acc, is_up: bool) -> Total {
    return op_combine_any(acc_select(total, run, is_up), acc_select(run, total, is_up));
}
