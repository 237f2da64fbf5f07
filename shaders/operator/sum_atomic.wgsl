alias AtomicWord = Acc;

fn accumulate(total: Acc) {
    atomicAdd(&accumulator[0], total);
}
