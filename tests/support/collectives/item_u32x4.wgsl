fn item_at(index: u32) -> vec4<u32> {
    let words = vec4<u32>(input[index], index, ~index, input[index] * 3u);
    return words;
}

fn keep_item(slot: u32, item: vec4<u32>, invocation: gridfold_Invocation) {
    let words = item;
    keep_words(slot, words.xy, invocation);
    keep_words(slot + 1u, words.zw, invocation);
}

// As several of them are kept.
fn kept_at(index: u32) -> vec4<u32> {
    return item_at(index);
}

fn keep_kept(slot: u32, item: vec4<u32>, invocation: gridfold_Invocation) {
    keep_item(slot, item, invocation);
}
