// The hash of a string: 31 * hash + byte, over all bytes in order.
struct Hash {
    value: u32,
    factor: u32,
}

fn identity() -> Hash {
    return Hash(0u, 1u);
}

fn lift(byte: u32) -> Hash {
    return Hash(byte, 31u);
}

fn combine(a: Hash, b: Hash) -> Hash {
    return Hash(a.value * b.factor + b.value, a.factor * b.factor);
}

fn finish(hash: Hash) -> u32 {
    return hash.value;
}
