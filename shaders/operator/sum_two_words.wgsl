fn op_identity() -> Acc {
    return Acc(0u, 0u);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    let low = a.x + b.x;
    return Acc(low, a.y + b.y + select(0u, 1u, low < a.x));
}
