// Between numbers of 64 bits and f32s.

// It has every value of an f32.
fn double_of_float(bits: u32) -> vec2<u32> {
    let sign = bits & F32_SIGN_BIT;
    let magnitude = bits & ~F32_SIGN_BIT;
    if magnitude > F32_INFINITY_BITS {
        return F64_CANONICAL_NAN;
    }
    if magnitude == F32_INFINITY_BITS {
        return vec2<u32>(0u, sign | F64_INFINITY_HIGH);
    }
    if magnitude == 0u {
        return vec2<u32>(0u, sign);
    }
    let x = f32_normalized(magnitude);
    let double = f64_nearest(vec2<u32>(0u, x.significand << 8u), false, x.exponent - 40);
    return vec2<u32>(double.x, sign | double.y);
}

// The nearest f32, ties to even.
fn float_of_double(bits: vec2<u32>) -> u32 {
    let sign = bits.y & F64_SIGN_BIT;
    let high = bits.y & ~F64_SIGN_BIT;
    if f64_is_nan(bits) {
        return F32_CANONICAL_NAN_BITS;
    }
    if high == F64_INFINITY_HIGH {
        return sign | F32_INFINITY_BITS;
    }
    if f64_is_zero(bits) {
        return sign;
    }
    let x = f64_normalized(f64_without_sign(bits));
    let leading = shifted_left(x.significand, 11u);
    return sign | f32_nearest(leading.y, leading.x != 0u, x.exponent + 21);
}
