// What comes before all elements of a scan: the initial value, of two words, or nothing.
fn initial_acc(job: Params) -> Acc {
    if (job.flags & FLAG_HAS_INITIAL) != 0u {
        return op_lift(Elem(job.initial_low, job.initial_high));
    }
    return op_identity();
}
