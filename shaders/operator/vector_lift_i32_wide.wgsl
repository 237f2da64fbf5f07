// i32s as numbers of 64 bits: the signs go on through the high words.
fn op_lift(value: Elem) -> Acc {
    return Acc(value, Elem(0u) - (value >> Elem(31u)));
}
