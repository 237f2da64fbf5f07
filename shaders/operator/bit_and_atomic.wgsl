alias AtomicWord = Acc;

fn accumulate(total: Acc) {
    atomicAnd(&accumulator[0], total);
}
