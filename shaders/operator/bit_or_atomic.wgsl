alias AtomicWord = Acc;

fn accumulate(total: Acc) {
    atomicOr(&accumulator[0], total);
}
