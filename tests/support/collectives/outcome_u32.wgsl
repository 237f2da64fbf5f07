fn keep(slot: u32, outcome: u32, invocation: gridfold_Invocation) {
    keep_words(slot, vec2<u32>(outcome, 0u), invocation);
}
