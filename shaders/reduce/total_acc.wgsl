// The accumulator that a total is.
fn total_run(total: Total) -> Acc {
    return total;
}
