// Word by word: sign, specials, significand and exponent of a product do not depend on each other but
// by the halvings, which the invocation that exchanged the significand adds to the exponent.
alias AtomicWord = u32;

fn accumulate(total: Acc) {
    atomicXor(&accumulator[0], total.flags & FLAG_NEGATIVE);
    atomicOr(&accumulator[0], total.flags & FLAGS_SPECIAL);

    var seen = atomicLoad(&accumulator[1]);
    var halved = 0u;
    loop {
        let product = significand_product(seen, total.significand);
        halved = select(0u, 1u, product >= TWO_BITS);
        let exchange =
            atomicCompareExchangeWeak(&accumulator[1], seen, product - (halved << 23u));
        if exchange.exchanged {
            break;
        }
        seen = exchange.old_value;
    }

    // The invocation that makes the low word wrap around carries into the high one.
    let low = total.exponent_low + halved;
    let before = atomicAdd(&accumulator[2], low);
    let carry = select(0u, 1u, low < halved) + select(0u, 1u, before + low < before);
    atomicAdd(&accumulator[3], total.exponent_high + carry);
}
