alias AtomicWord = u32;

// No device multiplies atomically, so products end by no atomics.
fn accumulate(at: u32, total: Acc) {
    let words = op_pack(total);
    if FOLD == FOLD_SUM {
        // The invocation that makes a word wrap around carries into the next one.
        var carry = 0u;
        for (var i = 0u; i < ACC_WORDS; i++) {
            let addend = words[i] + carry;
            let before = atomicAdd(&accumulator[at + i], addend);
            carry = select(0u, 1u, before + addend < before);
        }
        return;
    }
    for (var i = 0u; i < ACC_WORDS; i++) {
        if FOLD == FOLD_AND {
            atomicAnd(&accumulator[at + i], words[i]);
        } else if FOLD == FOLD_OR {
            atomicOr(&accumulator[at + i], words[i]);
        } else {
            atomicXor(&accumulator[at + i], words[i]);
        }
    }
}
