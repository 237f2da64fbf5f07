alias AtomicWord = u32;

fn accumulate(at: u32, total: Acc) {
    atomicMax(&accumulator[at], total);
}
