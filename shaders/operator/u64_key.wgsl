// u64s are keys themselves.

// The key of the smallest, and of the largest the other way round.
const KEY_LEAST = vec2<u32>(0u, 0u);

fn elem_key(value: Elem) -> vec2<u32> {
    return value;
}

fn key_bits(key: vec2<u32>) -> vec2<u32> {
    return key;
}

fn key_any_bits(key: vec2<u32>) -> vec2<u32> {
    return key;
}
