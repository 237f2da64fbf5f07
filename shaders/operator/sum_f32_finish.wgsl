// The sum itself: one NaN, and no negative zero, whatever the hardware made.
fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_finish_canonical(op_canonical(total));
}

fn op_canonical(total: Acc) -> Acc {
    return select(total, F32_CANONICAL_NAN_BITS, f32_is_nan(total));
}

// Of a total that is no other NaN.
fn op_finish_canonical(total: Acc) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(select(total, 0u, total == F32_SIGN_BIT));
}
