// f64 values as keys of two words in the same order, as of unsigned numbers, -0 below +0.

// The key of -infinity, and of +infinity the other way round.
const KEY_LEAST = vec2<u32>(0xffffffffu, 0x000fffffu);

fn elem_key(bits: Elem) -> vec2<u32> {
    let negative = 0u - (bits.y >> 31u);
    return vec2<u32>(bits.x ^ negative, bits.y ^ (negative | F64_SIGN_BIT));
}

// The inverse; keys of no number give the canonical NaN.
fn key_bits(key: vec2<u32>) -> vec2<u32> {
    let bits = key_any_bits(key);
    return select(bits, F64_CANONICAL_NAN, f64_is_nan(bits));
}

// The inverse for every key.
fn key_any_bits(key: vec2<u32>) -> vec2<u32> {
    let negative = (key.y >> 31u) - 1u;
    return vec2<u32>(key.x ^ negative, key.y ^ (negative | F64_SIGN_BIT));
}
