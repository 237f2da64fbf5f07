fn op_identity() -> Acc {
    return Elem(0);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return a ^ b;
}
