fn keep(slot: u32, outcome: op_Outcome, invocation: gridfold_Invocation) {
    keep_words(slot, vec2<u32>(outcome.factor, outcome.offset), invocation);
}
