// For operators whose accumulator is an element of two words.
fn op_lift(value: Elem) -> Acc {
    return value;
}
