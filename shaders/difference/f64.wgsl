// Of f64s: the sum with what has the other sign, as sums of f64s add it.
const ITEM_WORDS = 2u;

fn difference(item: vec2<u32>, before: vec2<u32>) -> vec2<u32> {
    let addend = vec2<u32>(before.x, before.y ^ F64_SIGN_BIT);
    let sum = op_combine_any(item, addend);
    // Sums lose the sign of zero. Only -0 less +0 has one.
    let zero = vec2<u32>(0u, item.y & addend.y & F64_SIGN_BIT);
    return select(sum, zero, f64_is_zero(sum));
}
