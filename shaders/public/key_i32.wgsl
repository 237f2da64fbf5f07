// A word that is in order as the value is.
fn key_of_item(value: Item) -> u32 {
    return bitcast<u32>(value) ^ 0x80000000u;
}

fn item_of_key(key: u32) -> Item {
    return bitcast<i32>(key ^ 0x80000000u);
}
