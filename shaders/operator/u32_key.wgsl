// u32s are keys themselves.

// The key of the smallest, and of the largest the other way round.
const KEY_LEAST = 0u;

fn elem_key(value: Elem) -> u32 {
    return value;
}

fn key_bits(key: u32) -> u32 {
    return key;
}

fn key_any_bits(key: u32) -> u32 {
    return key;
}
