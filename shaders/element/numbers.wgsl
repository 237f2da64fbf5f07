// Which numbers the words of elements are.
override NUMBERS: u32 = 0u;
const UNSIGNED = 0u;
// Two's complement.
const SIGNED = 1u;
// The bits of floats.
const FLOATS = 2u;

// An f32 travels as its bits: loads, shuffles, workgroup memory and partials never hold it as a
// float, because WGSL lets an implementation flush subnormals and change NaNs whenever it does.
// Operators make floats of the bits where they compute, and nowhere else.

@if(f32) const F32_INFINITY_BITS = 0x7f800000u;
@if(f32) const F32_CANONICAL_NAN_BITS = 0x7fc00000u;
@if(f32) const F32_SIGN_BIT = 0x80000000u;

@if(f32) fn f32_is_nan(bits: u32) -> bool {
    return (bits & ~F32_SIGN_BIT) > F32_INFINITY_BITS;
}

// The bits of an f64: two words, the low one first.

@if(f64) const F64_SIGN_BIT = 0x80000000u;
@if(f64) const F64_CANONICAL_NAN = vec2<u32>(0u, 0x7ff80000u);

// Of infinity, the high word. Its low one is 0.
@if(f64) const F64_INFINITY_HIGH = 0x7ff00000u;

// The bits without the sign, in the order of magnitudes.
@if(f64) fn f64_without_sign(bits: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(bits.x, bits.y & ~F64_SIGN_BIT);
}

@if(f64) fn f64_is_nan(bits: vec2<u32>) -> bool {
    let high = bits.y & ~F64_SIGN_BIT;
    return (high > F64_INFINITY_HIGH) | ((high == F64_INFINITY_HIGH) & (bits.x != 0u));
}

// -0 is, NaN is not.
@if(f64) fn f64_is_zero(bits: vec2<u32>) -> bool {
    return (bits.x | (bits.y & ~F64_SIGN_BIT)) == 0u;
}
