alias Item = u32;

const ITEM_WORDS = 1u;

fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(value);
}

fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return packed[0];
}
