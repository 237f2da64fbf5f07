fn keep(slot: u32, outcome: vec2<u32>, invocation: gridfold_Invocation) {
    keep_words(slot, outcome, invocation);
}
