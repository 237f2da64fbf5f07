// What expressions do with f64s, on their bits, in integers: no device needs to have such floats.

// What `f64_add` leaves open is the sign of zero: it is negative if both operands are.
fn double_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sum = f64_add(a, b);
    return select(sum, vec2<u32>(0u, a.y & b.y & F64_SIGN_BIT), f64_is_zero(sum));
}

// The nearest quotient.
fn double_divide(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sign = (a.y ^ b.y) & F64_SIGN_BIT;
    let dividend = f64_without_sign(a);
    let divisor = f64_without_sign(b);
    let dividend_is_zero = f64_is_zero(a);
    let divisor_is_zero = f64_is_zero(b);
    let dividend_is_infinite = wide_equal(dividend, vec2<u32>(0u, F64_INFINITY_HIGH));
    let divisor_is_infinite = wide_equal(divisor, vec2<u32>(0u, F64_INFINITY_HIGH));
    let is_nan = f64_is_nan(a) | f64_is_nan(b);
    let has_none = (dividend_is_zero & divisor_is_zero) | (dividend_is_infinite & divisor_is_infinite);
    if is_nan | has_none {
        return F64_CANONICAL_NAN;
    }
    if dividend_is_infinite | divisor_is_zero {
        return vec2<u32>(0u, sign | F64_INFINITY_HIGH);
    }
    if dividend_is_zero | divisor_is_infinite {
        return vec2<u32>(0u, sign);
    }
    let x = f64_normalized(dividend);
    let y = f64_normalized(divisor);
    var rest = x.significand;
    // 56 bits, of which the first or the second is set.
    var quotient = vec2<u32>(0u, 0u);
    for (var i = 0u; i < 56u; i++) {
        let fits = !two_words_less(rest, y.significand);
        let doubled = shifted_left(quotient, 1u);
        quotient = vec2<u32>(doubled.x | select(0u, 1u, fits), doubled.y);
        rest = shifted_left(select(rest, wide_subtract(rest, y.significand), fits), 1u);
    }
    let up = two_words_leading_zeros(quotient);
    let exponent = x.exponent - y.exponent - 55 - i32(up);
    let bits = f64_nearest(shifted_left(quotient, up), (rest.x | rest.y) != 0u, exponent);
    return vec2<u32>(bits.x, sign | bits.y);
}

// In the order of floats, -0 below +0.
fn double_key(bits: vec2<u32>) -> vec2<u32> {
    let negative = 0u - (bits.y >> 31u);
    return vec2<u32>(bits.x ^ negative, bits.y ^ (negative | F64_SIGN_BIT));
}

// Numbers in their order, in which both zeros are one.
fn double_number_key(bits: vec2<u32>) -> vec2<u32> {
    return double_key(select(bits, vec2<u32>(0u, 0u), f64_is_zero(bits)));
}

fn double_is_unordered(a: vec2<u32>, b: vec2<u32>) -> bool {
    return f64_is_nan(a) | f64_is_nan(b);
}

fn double_equal(a: vec2<u32>, b: vec2<u32>) -> bool {
    return !double_is_unordered(a, b) & wide_equal(double_number_key(a), double_number_key(b));
}

fn double_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    let is_less = two_words_less(double_number_key(a), double_number_key(b));
    return !double_is_unordered(a, b) & is_less;
}

fn double_less_equal(a: vec2<u32>, b: vec2<u32>) -> bool {
    let is_less = two_words_less(double_number_key(b), double_number_key(a));
    return !double_is_unordered(a, b) & !is_less;
}

// As the library's minimum: -0 is below +0, and a NaN makes it NaN.
fn double_min(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let least = select(a, b, two_words_less(double_key(b), double_key(a)));
    return select(least, F64_CANONICAL_NAN, double_is_unordered(a, b));
}

fn double_max(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let most = select(a, b, two_words_less(double_key(a), double_key(b)));
    return select(most, F64_CANONICAL_NAN, double_is_unordered(a, b));
}

// The nearest f64, ties to even.
fn double_of_unsigned(number: vec2<u32>) -> vec2<u32> {
    if (number.x | number.y) == 0u {
        return number;
    }
    let up = two_words_leading_zeros(number);
    return f64_nearest(shifted_left(number, up), false, -i32(up));
}

fn double_of_signed(number: vec2<u32>) -> vec2<u32> {
    let bits = double_of_unsigned(wide_magnitude(number));
    return vec2<u32>(bits.x, bits.y | (number.y & F64_SIGN_BIT));
}

// Towards zero. What is too large becomes the largest, NaN 0.
fn double_magnitude_to_unsigned(magnitude: vec2<u32>) -> vec2<u32> {
    let field = magnitude.y >> 20u;
    if f64_is_nan(magnitude) | (field < 1023u) {
        return vec2<u32>(0u, 0u);
    }
    if field >= 1087u {
        return vec2<u32>(0xffffffffu, 0xffffffffu);
    }
    let significand = vec2<u32>(magnitude.x, (magnitude.y & 0x000fffffu) | 0x00100000u);
    if field >= 1075u {
        return shifted_left(significand, field - 1075u);
    }
    return shifted_right(significand, 1075u - field).value;
}

fn double_to_unsigned(bits: vec2<u32>) -> vec2<u32> {
    let number = double_magnitude_to_unsigned(f64_without_sign(bits));
    return select(number, vec2<u32>(0u, 0u), (bits.y & F64_SIGN_BIT) != 0u);
}

fn double_to_signed(bits: vec2<u32>) -> vec2<u32> {
    let number = double_magnitude_to_unsigned(f64_without_sign(bits));
    let is_negative = (bits.y & F64_SIGN_BIT) != 0u;
    let is_beyond = (number.y >> 31u) == 1u;
    let largest = select(vec2<u32>(0xffffffffu, 0x7fffffffu), WIDE_SIGN, is_negative);
    return select(select(number, wide_negate(number), is_negative), largest, is_beyond);
}

// Between numbers of 64 bits and f32s.

// It has every value of an f32.
@if(floats) fn double_of_float(bits: u32) -> vec2<u32> {
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
@if(floats) fn float_of_double(bits: vec2<u32>) -> u32 {
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
