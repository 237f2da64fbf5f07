alias AtomicWord = u32;

// The invocation that makes the low word wrap around carries into the high one.
fn accumulate(total: Acc) {
    let before = atomicAdd(&accumulator[0], total.x);
    let carry = select(0u, 1u, before + total.x < before);
    atomicAdd(&accumulator[1], total.y + carry);
}
