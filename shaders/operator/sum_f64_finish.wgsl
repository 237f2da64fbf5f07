// The sum itself: one NaN, and no negative zero.
fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    let sum = select(total, Acc(0u, 0u), f64_is_zero(total));
    return op_pack(select(sum, F64_CANONICAL_NAN, f64_is_nan(total)));
}
