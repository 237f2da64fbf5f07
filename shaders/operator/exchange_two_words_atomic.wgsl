// As exchange_atomic.wgsl, for an accumulator of two words, which are exchanged as one: on devices that have such atomics.
alias AtomicWord = u64;
const ATOMIC_WORDS = ACC_WORDS / 2u;

fn accumulate(at: u32, total: Acc) {
    // A first guess. What is there comes with the exchange that fails.
    var seen = 0lu;
    loop {
        let combined = op_combine_any(Acc(u32(seen), u32(seen >> 32u)), total);
        let wanted = u64(combined.x) | (u64(combined.y) << 32u);
        let exchange = atomicCompareExchangeWeak(&accumulator[at], seen, wanted);
        if exchange.exchanged {
            break;
        }
        seen = exchange.old_value;
    }
}
