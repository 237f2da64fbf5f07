// Two words that are in order as the float is, the low one first: of negative ones all bits turn, of others the sign.
fn key_of_item(bits: Item) -> vec2<u32> {
    return bits ^ select(vec2<u32>(0u, 0x80000000u), vec2<u32>(0xffffffffu), (bits.y >> 31u) == 1u);
}

fn item_of_key(key: vec2<u32>) -> Item {
    return key ^ select(vec2<u32>(0xffffffffu), vec2<u32>(0u, 0x80000000u), (key.y >> 31u) == 1u);
}
