// A word that is in order as the value is.
@if(u32) fn key_of_item(value: Item) -> u32 {
    return value;
}

@if(u32) fn item_of_key(key: u32) -> Item {
    return key;
}

// A word that is in order as the value is.
@if(i32) fn key_of_item(value: Item) -> u32 {
    return bitcast<u32>(value) ^ 0x80000000u;
}

@if(i32) fn item_of_key(key: u32) -> Item {
    return bitcast<i32>(key ^ 0x80000000u);
}

// A word that is in order as the float is: of negative ones all bits turn, of others the sign.
@if(f32) fn key_of_item(bits: u32) -> u32 {
    return bits ^ select(0x80000000u, 0xffffffffu, (bits >> 31u) == 1u);
}

@if(f32) fn item_of_key(key: u32) -> u32 {
    return key ^ select(0xffffffffu, 0x80000000u, (key >> 31u) == 1u);
}

// Two words that are in order as the value is, the low one first.
@if(u64) fn key_of_item(value: Item) -> vec2<u32> {
    return value;
}

@if(u64) fn item_of_key(key: vec2<u32>) -> Item {
    return key;
}

// Two words that are in order as the value is, the low one first.
@if(i64) fn key_of_item(value: Item) -> vec2<u32> {
    return value ^ vec2<u32>(0u, 0x80000000u);
}

@if(i64) fn item_of_key(key: vec2<u32>) -> Item {
    return key ^ vec2<u32>(0u, 0x80000000u);
}

// Two words that are in order as the float is, the low one first: of negative ones all bits turn, of others the sign.
@if(f64) fn key_of_item(bits: Item) -> vec2<u32> {
    return bits ^ select(vec2<u32>(0u, 0x80000000u), vec2<u32>(0xffffffffu), (bits.y >> 31u) == 1u);
}

@if(f64) fn item_of_key(key: vec2<u32>) -> Item {
    return key ^ select(vec2<u32>(0xffffffffu), vec2<u32>(0u, 0x80000000u), (key.y >> 31u) == 1u);
}
