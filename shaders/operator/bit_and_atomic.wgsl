alias AtomicWord = u32;

// Word by word.
fn accumulate(total: Acc) {
    let words = op_pack(total);
    for (var i = 0u; i < ACC_WORDS; i++) {
        atomicAnd(&accumulator[i], words[i]);
    }
}
