// For operators whose accumulator begins as an element.
fn op_lift(value: Elem) -> Acc {
    return value;
}
