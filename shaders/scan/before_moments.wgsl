// What memory has of the total of a variance.

fn run_of_nothing() -> Acc {
    return run_of(MOMENT_ZERO, MOMENT_ZERO, LEVEL_OF_NOTHING);
}

fn total_rest(total: Total) -> Acc {
    return run_of(total.drift, MOMENT_ZERO, 0u);
}

fn total_from(run: Acc, rest: Acc) -> Total {
    return Total(run, run_sum(rest));
}
