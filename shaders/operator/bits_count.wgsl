// How many bits are 1.
const MISSING_BITS = 0u;

fn op_lift(value: Elem) -> Acc {
    return Acc(countOneBits(value), 0u);
}
