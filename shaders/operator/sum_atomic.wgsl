alias AtomicWord = Acc;

fn accumulate(at: u32, total: Acc) {
    atomicAdd(&accumulator[at], total);
}
