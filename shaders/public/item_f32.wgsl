alias Item = f32;

const ITEM_WORDS = 1u;

fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(bitcast<u32>(value));
}

fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return bitcast<f32>(packed[0]);
}
