// f32 values as u32 keys in the same order, -0 below +0: comparing floats would leave NaNs,
// subnormals and the sign of zero to the implementation.

fn f32_to_key(bits: u32) -> u32 {
    let negative = 0u - (bits >> 31u);
    return bits ^ (negative | F32_SIGN_BIT);
}

// The inverse for every key.
fn f32_from_any_key(key: u32) -> u32 {
    return key ^ select(0xffffffffu, F32_SIGN_BIT, (key >> 31u) == 1u);
}

// The inverse; keys of no number give the canonical NaN.
fn f32_from_key(key: u32) -> u32 {
    let bits = f32_from_any_key(key);
    return select(bits, F32_CANONICAL_NAN_BITS, f32_is_nan(bits));
}
