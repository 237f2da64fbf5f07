alias Item = vec4<u32>;

const ITEM_WORDS = 4u;

fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(value.x, value.y, value.z, value.w);
}

fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return vec4<u32>(packed[0], packed[1], packed[2], packed[3]);
}
