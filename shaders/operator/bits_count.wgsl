// How many bits are 1.
fn missing_bits() -> u32 {
    return 0u;
}

fn op_lift(value: Elem) -> Acc {
    return Acc(countOneBits(value), 0u);
}
