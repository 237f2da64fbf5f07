// Of integers of 64 bits, with a sign or without: they wrap.
const ITEM_WORDS = 2u;

fn difference(item: vec2<u32>, before: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(item.x - before.x, item.y - before.y - select(0u, 1u, item.x < before.x));
}
