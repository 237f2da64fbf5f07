alias AtomicWord = Acc;

fn accumulate(total: Acc) {
    atomicMin(&accumulator[0], total);
}
