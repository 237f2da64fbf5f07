// For operators that have no atomic of their own, and an accumulator of one word: compare and exchange.
// In each round somebody succeeds, so the loop ends, but nothing uniform bounds it.
alias AtomicWord = u32;

fn accumulate(total: Acc) {
    var seen = atomicLoad(&accumulator[0]);
    loop {
        let combined = op_pack(op_combine_any(op_unpack(array<u32, ACC_WORDS>(seen)), total));
        let exchange = atomicCompareExchangeWeak(&accumulator[0], seen, combined[0]);
        if exchange.exchanged {
            break;
        }
        seen = exchange.old_value;
    }
}
