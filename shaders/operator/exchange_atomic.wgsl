// For operators that have no atomic of their own, and an accumulator of one word: compare and exchange.
// In each round somebody succeeds, so the loop ends, but nothing uniform bounds it.
alias AtomicWord = u32;
const ATOMIC_WORDS = ACC_WORDS;

fn accumulate(at: u32, total: Acc) {
    var seen = atomicLoad(&accumulator[at]);
    loop {
        let combined = op_pack(op_combine_any(op_unpack(array<u32, ACC_WORDS>(seen)), total));
        let exchange = atomicCompareExchangeWeak(&accumulator[at], seen, combined[0]);
        if exchange.exchanged {
            break;
        }
        seen = exchange.old_value;
    }
}
