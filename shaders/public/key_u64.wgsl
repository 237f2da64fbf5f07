// Two words that are in order as the value is, the low one first.
fn key_of_item(value: Item) -> vec2<u32> {
    return value;
}

fn item_of_key(key: vec2<u32>) -> Item {
    return key;
}
