// The sum divided by the number of elements, rounded.
fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(f32_mean(total, len));
}
