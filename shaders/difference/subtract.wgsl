// Of f32s: the sum with what has the other sign, as sums of f32s add it.
@if(f32) const ITEM_WORDS = 1u;

@if(f32) fn difference(item: vec2<u32>, before: vec2<u32>) -> vec2<u32> {
    let addend = before.x ^ F32_SIGN_BIT;
    let sum = op_combine_any(item.x, addend);
    // Sums lose the sign of zero. Only -0 less +0 has one.
    let zero = item.x & addend & F32_SIGN_BIT;
    return vec2<u32>(select(sum, zero, (sum << 1u) == 0u), 0u);
}

// Of f64s: the sum with what has the other sign, as sums of f64s add it.
@if(f64) const ITEM_WORDS = 2u;

@if(f64) fn difference(item: vec2<u32>, before: vec2<u32>) -> vec2<u32> {
    let addend = vec2<u32>(before.x, before.y ^ F64_SIGN_BIT);
    let sum = op_combine_any(item, addend);
    // Sums lose the sign of zero. Only -0 less +0 has one.
    let zero = vec2<u32>(0u, item.y & addend.y & F64_SIGN_BIT);
    return select(sum, zero, f64_is_zero(sum));
}

// Of integers of 32 bits, with a sign or without: they wrap.
@if(u32) const ITEM_WORDS = 1u;

@if(u32) fn difference(item: vec2<u32>, before: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(item.x - before.x, 0u);
}

// Of integers of 64 bits, with a sign or without: they wrap.
@if(u64) const ITEM_WORDS = 2u;

@if(u64) fn difference(item: vec2<u32>, before: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(item.x - before.x, item.y - before.y - select(0u, 1u, item.x < before.x));
}
