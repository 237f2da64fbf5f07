// The sum divided by the number of elements, rounded, in integers.
fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(f64_mean(total, len));
}
