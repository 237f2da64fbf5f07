// The largest magnitude, as a word.

fn op_identity() -> Acc {
    return 0u;
}

fn op_lift(value: Elem) -> Acc {
    return elem_magnitude(value);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return max(a, b);
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(total);
}
