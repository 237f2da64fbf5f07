// The largest magnitude, as a word, or as one for each component.

fn op_identity() -> Acc {
    return Acc(0u);
}

fn op_lift(value: Elem) -> Acc {
    return elem_magnitude(value);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return max(a, b);
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(total);
}
