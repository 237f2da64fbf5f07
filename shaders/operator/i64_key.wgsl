// i64s as keys of two words in the same order, as of unsigned numbers.

// The key of the smallest, and of the largest the other way round.
const KEY_LEAST = vec2<u32>(0u, 0u);

fn elem_key(value: Elem) -> vec2<u32> {
    return value ^ ELEM_SIGN;
}

fn key_bits(key: vec2<u32>) -> vec2<u32> {
    return key ^ ELEM_SIGN;
}

fn key_any_bits(key: vec2<u32>) -> vec2<u32> {
    return key_bits(key);
}
