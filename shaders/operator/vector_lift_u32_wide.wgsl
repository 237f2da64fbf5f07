// u32s as numbers of 64 bits.
fn op_lift(value: Elem) -> Acc {
    return Acc(value, Elem(0u));
}
