alias AtomicWord = Acc;

fn accumulate(total: Acc) {
    atomicMax(&accumulator[0], total);
}
