// The key above every number stands for NaN, so that one NaN makes the result NaN.
const NAN_KEY = 0xffffffffu;

// The key of -infinity.
fn op_identity() -> Acc {
    return 0x007fffffu;
}

fn op_lift(bits: Elem) -> Acc {
    return select(f32_to_key(bits), NAN_KEY, f32_is_nan(bits));
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return max(a, b);
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(f32_from_key(total));
}
