alias Item = vec2<u32>;

const ITEM_WORDS = 2u;

fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(value.x, value.y);
}

fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return vec2<u32>(packed[0], packed[1]);
}
