alias AtomicWord = u32;

// The invocation that makes the low word wrap around carries into the high one.
fn accumulate(at: u32, total: Acc) {
    let before = atomicAdd(&accumulator[at], total.x);
    let carry = select(0u, 1u, before + total.x < before);
    atomicAdd(&accumulator[at + 1u], total.y + carry);
}
