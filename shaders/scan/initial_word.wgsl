// What comes before all elements of a scan: the initial value, of one word, or nothing.
fn initial_acc(job: Params) -> Acc {
    if (job.flags & FLAG_HAS_INITIAL) != 0u {
        return op_lift(elem_from_word(job.initial_low));
    }
    return op_identity();
}
