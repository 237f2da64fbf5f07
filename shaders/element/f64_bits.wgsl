// The bits of an f64: two words, the low one first.

const F64_SIGN_BIT = 0x80000000u;
const F64_CANONICAL_NAN = vec2<u32>(0u, 0x7ff80000u);

// Of infinity, the high word. Its low one is 0.
const F64_INFINITY_HIGH = 0x7ff00000u;

// The bits without the sign, in the order of magnitudes.
fn f64_without_sign(bits: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(bits.x, bits.y & ~F64_SIGN_BIT);
}

fn f64_is_nan(bits: vec2<u32>) -> bool {
    let high = bits.y & ~F64_SIGN_BIT;
    return (high > F64_INFINITY_HIGH) | ((high == F64_INFINITY_HIGH) & (bits.x != 0u));
}

// -0 is, NaN is not.
fn f64_is_zero(bits: vec2<u32>) -> bool {
    return (bits.x | (bits.y & ~F64_SIGN_BIT)) == 0u;
}
