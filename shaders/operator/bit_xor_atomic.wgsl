alias AtomicWord = Acc;

fn accumulate(total: Acc) {
    atomicXor(&accumulator[0], total);
}
