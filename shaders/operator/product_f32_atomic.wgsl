// Word by word: sign, specials, significand and exponent of a product do not depend on each other but
// by the halvings, which the invocation that exchanged the significand adds to the exponent.
alias AtomicWord = u32;
const ATOMIC_WORDS = ACC_WORDS;

fn accumulate(at: u32, total: Acc) {
    atomicXor(&accumulator[at], total.flags & FLAG_NEGATIVE);
    atomicOr(&accumulator[at], total.flags & FLAGS_SPECIAL);

    var seen = atomicLoad(&accumulator[at + 1u]);
    var halved = 0u;
    loop {
        let product = significand_product(seen, total.significand);
        halved = select(0u, 1u, product >= TWO_BITS);
        let exchange =
            atomicCompareExchangeWeak(&accumulator[at + 1u], seen, product - (halved << 23u));
        if exchange.exchanged {
            break;
        }
        seen = exchange.old_value;
    }

    // The invocation that makes the low word wrap around carries into the high one.
    let low = total.exponent_low + halved;
    let before = atomicAdd(&accumulator[at + 2u], low);
    let carry = select(0u, 1u, low < halved) + select(0u, 1u, before + low < before);
    atomicAdd(&accumulator[at + 3u], total.exponent_high + carry);
}
