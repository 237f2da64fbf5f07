// For sums of the elements themselves.
fn op_lift(bits: Elem) -> Acc {
    return bits;
}
