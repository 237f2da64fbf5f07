// An f32 travels as its bits: loads, shuffles, workgroup memory and partials never hold it as a
// float, because WGSL lets an implementation flush subnormals and change NaNs whenever it does.
// Operators make floats of the bits where they compute, and nowhere else.

const F32_INFINITY_BITS = 0x7f800000u;
const F32_CANONICAL_NAN_BITS = 0x7fc00000u;
const F32_SIGN_BIT = 0x80000000u;

fn f32_is_nan(bits: u32) -> bool {
    return (bits & ~F32_SIGN_BIT) > F32_INFINITY_BITS;
}
