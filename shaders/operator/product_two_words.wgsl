fn op_identity() -> Acc {
    return Acc(1u, 0u);
}

// What is beyond 64 bits is not there.
fn op_combine(a: Acc, b: Acc) -> Acc {
    return Acc(a.x * b.x, high_word_of_product(a.x, b.x) + a.x * b.y + a.y * b.x);
}
