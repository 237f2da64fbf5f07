alias AtomicWord = Acc;

fn accumulate(at: u32, total: Acc) {
    atomicMax(&accumulator[at], total);
}
