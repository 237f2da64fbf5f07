// Of each component whether it is not 0: -0 is 0.
fn op_lift(bits: Elem) -> Acc {
    return Acc(min(bits << Elem(1u), Elem(1u)), Elem(0u));
}
