alias Item = vec3<u32>;

const ITEM_WORDS = 3u;

fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(value.x, value.y, value.z);
}

fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return vec3<u32>(packed[0], packed[1], packed[2]);
}
