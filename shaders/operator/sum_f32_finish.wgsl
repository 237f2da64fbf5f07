// The sum itself: one NaN, and no negative zero, whatever the hardware made.
fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let sum = select(total, 0u, total == F32_SIGN_BIT);
    return array<u32, OUT_WORDS>(select(sum, F32_CANONICAL_NAN_BITS, f32_is_nan(total)));
}
