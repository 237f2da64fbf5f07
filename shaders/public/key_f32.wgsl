// A word that is in order as the float is: of negative ones all bits turn, of others the sign.
fn key_of_item(bits: u32) -> u32 {
    return bits ^ select(0x80000000u, 0xffffffffu, (bits >> 31u) == 1u);
}

fn item_of_key(key: u32) -> u32 {
    return key ^ select(0xffffffffu, 0x80000000u, (key >> 31u) == 1u);
}
