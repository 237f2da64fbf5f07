// Of f32s: the sum with what has the other sign, as sums of f32s add it.
const ITEM_WORDS = 1u;

fn difference(item: vec2<u32>, before: vec2<u32>) -> vec2<u32> {
    let addend = before.x ^ F32_SIGN_BIT;
    let sum = op_combine_any(item.x, addend);
    // Sums lose the sign of zero. Only -0 less +0 has one.
    let zero = item.x & addend & F32_SIGN_BIT;
    return vec2<u32>(select(sum, zero, (sum << 1u) == 0u), 0u);
}
