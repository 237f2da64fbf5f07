// A word that is in order as the value is.
fn key_of_item(value: Item) -> u32 {
    return value;
}

fn item_of_key(key: u32) -> Item {
    return key;
}
