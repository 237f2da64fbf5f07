// The key above every number stands for NaN, so that one NaN makes the result NaN.
const NAN_KEY = Acc(0xffffffffu, 0xffffffffu);

// The key of -infinity.
fn op_identity() -> Acc {
    return Acc(0xffffffffu, 0x000fffffu);
}

fn op_lift(bits: Elem) -> Acc {
    return select(elem_key(bits), NAN_KEY, f64_is_nan(bits));
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return select(a, b, two_words_less(a, b));
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(key_bits(total));
}
