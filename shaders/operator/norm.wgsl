// The square root of the sum, rounded: in integers, as WGSL's root is not the nearest float.
@if(f32) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(f32_root(total));
}

// Of what is not negative.
@if(f32) fn f32_root(total: u32) -> u32 {
    let magnitude = total & ~F32_SIGN_BIT;
    if magnitude > F32_INFINITY_BITS {
        return F32_CANONICAL_NAN_BITS;
    }
    if (magnitude == F32_INFINITY_BITS) | (magnitude == 0u) {
        return magnitude;
    }
    let sum = f32_normalized(magnitude);
    // As 64 bits, or 63, times an even power of two: the root's highest bit is bit 31.
    let is_odd = (sum.exponent & 1) == 1;
    let root = root_of(sum.significand << select(8u, 7u, is_odd), 0u);
    let exponent = (sum.exponent - select(40, 39, is_odd)) / 2;
    return f32_nearest(root.root, root.has_rest, exponent);
}

// The square root of the sum, rounded, in integers.
@if(f64) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(f64_root(total));
}

// Of what is not negative.
@if(f64) fn f64_root(total: vec2<u32>) -> vec2<u32> {
    if f64_is_nan(total) {
        return F64_CANONICAL_NAN;
    }
    if (total.y == F64_INFINITY_HIGH) | f64_is_zero(total) {
        return f64_without_sign(total);
    }
    let sum = f64_normalized(total);
    // Times an even power of two, with the highest bit in bit 62 or 63.
    let up = 10u + u32(sum.exponent & 1);
    var number = shifted_left(sum.significand, up);
    // Two bits of the number for a bit of the root, as in writing. Behind the number are zeros.
    var root = vec2<u32>(0u, 0u);
    var rest = vec2<u32>(0u, 0u);
    for (var i = 0u; i < 56u; i++) {
        rest = shifted_left(rest, 2u);
        rest.x |= number.y >> 30u;
        number = shifted_left(number, 2u);
        let trial = shifted_left(root, 2u) | vec2<u32>(1u, 0u);
        root = shifted_left(root, 1u);
        if !two_words_less(rest, trial) {
            rest = vec2<u32>(
                rest.x - trial.x,
                rest.y - trial.y - select(0u, 1u, rest.x < trial.x),
            );
            root.x |= 1u;
        }
    }
    // The root of 112 bits: of the number times 2^48.
    let exponent = (sum.exponent - i32(up) - 48) / 2 - 8;
    return f64_nearest(shifted_left(root, 8u), (rest.x | rest.y) != 0u, exponent);
}

// The square root of a number of 64 bits.
@if(root) struct Root {
    root: u32,
    // Whether the number is more than the square of that.
    has_rest: bool,
}

@if(root) fn root_of(number_high: u32, number_low: u32) -> Root {
    var high = number_high;
    var low = number_low;
    // Two bits of the number for a bit of the root, as in writing.
    var root = 0u;
    var rest_low = 0u;
    var rest_high = 0u;
    for (var i = 0u; i < 32u; i++) {
        rest_high = (rest_high << 2u) | (rest_low >> 30u);
        rest_low = (rest_low << 2u) | (high >> 30u);
        high = (high << 2u) | (low >> 30u);
        low <<= 2u;
        let trial_low = (root << 2u) | 1u;
        let trial_high = root >> 30u;
        root <<= 1u;
        if (rest_high > trial_high) | ((rest_high == trial_high) & (rest_low >= trial_low)) {
            rest_high -= trial_high + select(0u, 1u, rest_low < trial_low);
            rest_low -= trial_low;
            root |= 1u;
        }
    }
    return Root(root, (rest_low | rest_high) != 0u);
}
