// i32s as u32 keys in the same order.

// The key of the smallest, and of the largest the other way round.
const KEY_LEAST = 0u;

fn elem_key(value: Elem) -> u32 {
    return bitcast<u32>(value) ^ 0x80000000u;
}

fn key_bits(key: u32) -> u32 {
    return key ^ 0x80000000u;
}

fn key_any_bits(key: u32) -> u32 {
    return key_bits(key);
}
