// The key below every number stands for NaN, so that one NaN makes the result NaN.
const NAN_KEY = Acc(0u, 0u);

// The key of infinity.
fn op_identity() -> Acc {
    return Acc(0u, 0xfff00000u);
}

fn op_lift(bits: Elem) -> Acc {
    return select(elem_key(bits), NAN_KEY, f64_is_nan(bits));
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return select(a, b, two_words_less(b, a));
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(key_bits(total));
}
