// A u32 as a number of 64 bits.
fn op_lift(value: Elem) -> Acc {
    return Acc(value, 0u);
}
