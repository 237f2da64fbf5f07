// For operators whose result is their accumulator.
fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(total);
}
