// f64 values as keys of two words in the same order, as of unsigned numbers, -0 below +0.

fn f64_to_key(bits: vec2<u32>) -> vec2<u32> {
    let negative = 0u - (bits.y >> 31u);
    return vec2<u32>(bits.x ^ negative, bits.y ^ (negative | F64_SIGN_BIT));
}

// The inverse for every key.
fn f64_from_any_key(key: vec2<u32>) -> vec2<u32> {
    let negative = (key.y >> 31u) - 1u;
    return vec2<u32>(key.x ^ negative, key.y ^ (negative | F64_SIGN_BIT));
}
