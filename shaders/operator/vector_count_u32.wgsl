// Of each component whether it is not 0.
fn op_lift(value: Elem) -> Acc {
    return Acc(min(value, Elem(1u)), Elem(0u));
}
