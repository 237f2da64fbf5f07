// A key of 64 bits, the low word first.
fn kept_at(index: u32) -> vec2<u32> {
    return vec2<u32>(input[2u * index], input[2u * index + 1u]);
}

fn keep_kept(slot: u32, key: vec2<u32>, invocation: gridfold_Invocation) {
    keep_words(slot, key, invocation);
    keep_words(slot + 1u, vec2<u32>(), invocation);
}
