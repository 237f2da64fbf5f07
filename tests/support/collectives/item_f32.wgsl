fn item_at(index: u32) -> f32 {
    let words = vec4<u32>(input[index], index, ~index, input[index] * 3u);
    return bitcast<f32>(words.x);
}

fn keep_item(slot: u32, item: f32, invocation: gridfold_Invocation) {
    let words = vec4<u32>(bitcast<u32>(item), 0u, 0u, 0u);
    keep_words(slot, words.xy, invocation);
    keep_words(slot + 1u, words.zw, invocation);
}

// As several of them are kept.
fn kept_at(index: u32) -> u32 {
    return input[index];
}

fn keep_kept(slot: u32, bits: u32, invocation: gridfold_Invocation) {
    keep_words(slot, vec2<u32>(bits, 0u), invocation);
    keep_words(slot + 1u, vec2<u32>(), invocation);
}
