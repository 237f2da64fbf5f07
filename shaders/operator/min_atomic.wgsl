alias AtomicWord = Acc;

fn accumulate(at: u32, total: Acc) {
    atomicMin(&accumulator[at], total);
}
