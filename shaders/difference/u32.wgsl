// Of integers of 32 bits, with a sign or without: they wrap.
const ITEM_WORDS = 1u;

fn difference(item: vec2<u32>, before: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(item.x - before.x, 0u);
}
