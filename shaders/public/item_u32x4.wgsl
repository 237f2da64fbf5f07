alias Item = vec4<u32>;

const ITEM_WORDS = 4u;

fn item_pack(value: Item) -> vec4<u32> {
    return value;
}

fn item_unpack(packed: vec4<u32>) -> Item {
    return packed;
}
