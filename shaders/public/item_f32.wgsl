alias Item = f32;

const ITEM_WORDS = 1u;

fn item_pack(value: Item) -> vec4<u32> {
    return vec4<u32>(bitcast<u32>(value), 0u, 0u, 0u);
}

fn item_unpack(packed: vec4<u32>) -> Item {
    return bitcast<f32>(packed.x);
}
