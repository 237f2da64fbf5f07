// Each sum divided by the number of elements, rounded.
fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    var words = op_pack(total);
    for (var i = 0u; i < COMPONENTS; i++) {
        words[i] = f32_mean(words[i], len);
    }
    return words;
}
