fn item_at(index: u32) -> i32 {
    let words = vec4<u32>(input[index], index, ~index, input[index] * 3u);
    return bitcast<i32>(words.x);
}

fn keep_item(slot: u32, item: i32, invocation: gridfold_Invocation) {
    let words = vec4<u32>(bitcast<u32>(item), 0u, 0u, 0u);
    keep_words(slot, words.xy, invocation);
    keep_words(slot + 1u, words.zw, invocation);
}

// As several of them are kept.
fn kept_at(index: u32) -> i32 {
    return item_at(index);
}

fn keep_kept(slot: u32, item: i32, invocation: gridfold_Invocation) {
    keep_item(slot, item, invocation);
}
