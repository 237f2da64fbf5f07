// What comes before all elements of a scan by an operator that tells places: nothing, as an initial value would have none.
fn initial_acc(job: Params) -> Acc {
    return op_identity();
}
