// Word by word: no driver has to shuffle anything wider than 32 bits. What lanes have in common stays.
fn acc_shuffle_xor(acc: Acc, mask: u32) -> Acc {
    var words = op_pack(acc);
    for (var i = 0u; i < SHUFFLED_WORDS; i++) {
        words[i] = subgroupShuffleXor(words[i], mask);
    }
    return op_unpack(words);
}
