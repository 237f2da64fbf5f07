// The square root of the sum, rounded, in integers.
fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(f64_root(total));
}

// Of what is not negative.
fn f64_root(total: vec2<u32>) -> vec2<u32> {
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
