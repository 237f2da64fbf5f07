// Integers as numbers of 64 bits: signs go on through the high words.
fn op_lift(value: Elem) -> Acc {
    return Acc(value, select(Elem(0u), Elem(0u) - (value >> Elem(31u)), NUMBERS == SIGNED));
}
