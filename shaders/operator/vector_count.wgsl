// Tells whether each component is not 0. A float's -0 is 0.
fn op_lift(value: Elem) -> Acc {
    let bits = select(value, value << Elem(1u), NUMBERS == FLOATS);
    return Acc(min(bits, Elem(1u)), Elem(0u));
}
