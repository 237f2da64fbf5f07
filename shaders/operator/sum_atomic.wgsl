alias AtomicWord = Acc;
const ATOMIC_WORDS = ACC_WORDS;

fn accumulate(at: u32, total: Acc) {
    atomicAdd(&accumulator[at], total);
}
