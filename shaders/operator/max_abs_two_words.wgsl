// The largest magnitude, as an unsigned number.

fn op_identity() -> Acc {
    return Acc(0u, 0u);
}

fn op_lift(value: Elem) -> Acc {
    return elem_magnitude(value);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return select(a, b, two_words_less(a, b));
}
