// f32s as keys of elements: those of f32_key.wgsl, which expressions have beside the keys of other elements.

// The key of -infinity, and of +infinity the other way round.
const KEY_LEAST = 0x007fffffu;

fn elem_key(bits: u32) -> u32 {
    let negative = 0u - (bits >> 31u);
    return bits ^ (negative | F32_SIGN_BIT);
}

// The inverse; keys of no number give the canonical NaN.
fn key_bits(key: u32) -> u32 {
    let bits = key_any_bits(key);
    return select(bits, F32_CANONICAL_NAN_BITS, f32_is_nan(bits));
}

// The inverse for every key.
fn key_any_bits(key: u32) -> u32 {
    return key ^ select(0xffffffffu, F32_SIGN_BIT, (key >> 31u) == 1u);
}
