fn op_identity() -> Acc {
    return ELEM_MAX;
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return select(a, b, elem_less(b, a));
}
