// An i32 as a number of 64 bits: the sign goes on through the high word.
fn op_lift(value: Elem) -> Acc {
    return Acc(bitcast<u32>(value), bitcast<u32>(value >> 31u));
}
