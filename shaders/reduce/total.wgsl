// The accumulator that a total is.
@if(acc) fn total_run(total: Total) -> Acc {
    return total;
}

// What the runs of a sequence come to, for operators whose total is an accumulator, like theirs.

// A run's other half may be the identity, and leaves it as it is.
@if(run) const IDENTITY_IS_NEUTRAL = true;

// The device makes the right total of what is in range.
@if(run) const CHECKS_TOTALS = false;

@if(run) fn total_is_right(total: Acc) -> bool {
    return true;
}

@if(run) fn total_of(run: Acc) -> Total {
    return run;
}

// On the way up the total is that of a run's right half; on the way down the run comes after it.
@if(run) fn total_join(total: Total, run: Acc, is_up: bool) -> Total {
    return op_combine_any(acc_select(total, run, is_up), acc_select(run, total, is_up));
}
