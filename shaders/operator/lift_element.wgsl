// For operators whose accumulator is an element of several words.
fn op_lift(value: Elem) -> Acc {
    return value;
}
