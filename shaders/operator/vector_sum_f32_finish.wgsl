// Each sum itself: one NaN, and no negative zero, whatever the hardware made.
fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let signs = Acc(F32_SIGN_BIT);
    let sums = select(total, Acc(0u), total == signs);
    let are_nan = (total & ~signs) > Acc(F32_INFINITY_BITS);
    return op_pack(select(sums, Acc(F32_CANONICAL_NAN_BITS), are_nan));
}
