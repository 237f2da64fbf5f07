// For sums of f32 on devices that have no atomic addition of floats: compare and exchange.
// In each round somebody succeeds, so the loop ends, but nothing uniform bounds it.
alias AtomicWord = u32;

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
