fn op_identity() -> Acc {
    return ELEM_ALL_BITS;
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return a & b;
}
