alias Item = vec2<u32>;

const ITEM_WORDS = 2u;

fn item_pack(value: Item) -> vec4<u32> {
    return vec4<u32>(value, 0u, 0u);
}

fn item_unpack(packed: vec4<u32>) -> Item {
    return packed.xy;
}
