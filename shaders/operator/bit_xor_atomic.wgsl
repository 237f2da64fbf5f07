alias AtomicWord = u32;

// Word by word.
fn accumulate(at: u32, total: Acc) {
    let words = op_pack(total);
    for (var i = 0u; i < ACC_WORDS; i++) {
        atomicXor(&accumulator[at + i], words[i]);
    }
}
