// An integer of one word as a number of 64 bits: a sign goes on through the high word.
fn op_lift(value: Elem) -> Acc {
    return Acc(value, select(0u, 0u - (value >> 31u), NUMBERS == SIGNED));
}
