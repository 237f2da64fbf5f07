// Operations of expressions on the bits of f32s. All but sums and products is integers. There are no branches: a kernel has an expression some hundred
// times, and compilers take long for so many.

fn float_add_any(a: u32, b: u32) -> u32 {
    return f32_add(a, b);
}

fn float_multiply_any(a: u32, b: u32) -> u32 {
    return f32_multiply(a, b);
}

// The nearest quotient, in integers: WGSL's own division is not it. Zeros, infinities and NaNs take part in it, and the result is replaced.
fn float_divide(a: u32, b: u32) -> u32 {
    let sign = (a ^ b) & F32_SIGN_BIT;
    let dividend = a & ~F32_SIGN_BIT;
    let divisor = b & ~F32_SIGN_BIT;
    let x = f32_normalized(dividend);
    // No integer is divided by zero.
    let y = f32_normalized(max(divisor, 1u));
    // 25 bits: a leading one, and three times eight.
    let is_less = x.significand < y.significand;
    let rest = select(x.significand, x.significand << 1u, is_less) - y.significand;
    let first = float_digit(1u, rest, y.significand);
    let second = float_digit(first.quotient, first.rest, y.significand);
    let third = float_digit(second.quotient, second.rest, y.significand);
    let exponent = x.exponent - y.exponent - select(0, 1, is_less);
    let quotient = f32_nearest(third.quotient << 7u, third.rest != 0u, exponent - 31);
    let is_zero = (dividend == 0u) | (divisor == F32_INFINITY_BITS);
    let is_infinite = (divisor == 0u) | (dividend == F32_INFINITY_BITS);
    let is_nan = (max(dividend, divisor) > F32_INFINITY_BITS) | (is_zero & is_infinite);
    let magnitude = select(select(quotient, 0u, is_zero), F32_INFINITY_BITS, is_infinite);
    return select(sign | magnitude, F32_CANONICAL_NAN_BITS, is_nan);
}

struct FloatDigit {
    quotient: u32,
    rest: u32,
}

// The next eight bits of a quotient. The rest is less than the divisor, which has 24.
fn float_digit(quotient: u32, rest: u32, divisor: u32) -> FloatDigit {
    let digit = (rest << 8u) / divisor;
    return FloatDigit((quotient << 8u) | digit, (rest << 8u) - digit * divisor);
}

// Numbers in their order, in which both zeros are one.
fn float_number_key(bits: u32) -> u32 {
    return f32_to_key(select(bits, 0u, bits == F32_SIGN_BIT));
}

fn float_is_unordered(a: u32, b: u32) -> bool {
    return f32_is_nan(a) | f32_is_nan(b);
}

fn float_equal(a: u32, b: u32) -> bool {
    return !float_is_unordered(a, b) & (float_number_key(a) == float_number_key(b));
}

fn float_less(a: u32, b: u32) -> bool {
    return !float_is_unordered(a, b) & (float_number_key(a) < float_number_key(b));
}

fn float_less_equal(a: u32, b: u32) -> bool {
    return !float_is_unordered(a, b) & (float_number_key(a) <= float_number_key(b));
}

// As the library's minimum: -0 is below +0, and a NaN makes it NaN.
fn float_min(a: u32, b: u32) -> u32 {
    let least = select(b, a, f32_to_key(a) <= f32_to_key(b));
    return select(least, F32_CANONICAL_NAN_BITS, float_is_unordered(a, b));
}

fn float_max(a: u32, b: u32) -> u32 {
    let most = select(b, a, f32_to_key(a) >= f32_to_key(b));
    return select(most, F32_CANONICAL_NAN_BITS, float_is_unordered(a, b));
}

// The nearest float, ties to even.
fn float_of_u32(number: u32) -> u32 {
    let zeros = countLeadingZeros(number) & 31u;
    return select(f32_nearest(number << zeros, false, -i32(zeros)), 0u, number == 0u);
}

fn float_of_i32(number: i32) -> u32 {
    let word = bitcast<u32>(number);
    let sign = word & F32_SIGN_BIT;
    return sign | float_of_u32(select(word, 0u - word, sign != 0u));
}

// Towards zero. What is too large becomes the largest, NaN 0.
fn float_magnitude_to_u32(magnitude: u32) -> u32 {
    let field = magnitude >> 23u;
    let significand = f32_significand(magnitude);
    let number = select(significand >> ((150u - field) & 31u), significand << ((field - 150u) & 31u), field >= 150u);
    let is_zero = (field < 127u) | (magnitude > F32_INFINITY_BITS);
    return select(select(number, 0xffffffffu, field >= 159u), 0u, is_zero);
}

fn float_to_u32(bits: u32) -> u32 {
    return select(float_magnitude_to_u32(bits & ~F32_SIGN_BIT), 0u, (bits & F32_SIGN_BIT) != 0u);
}

fn float_to_i32(bits: u32) -> i32 {
    let magnitude = float_magnitude_to_u32(bits & ~F32_SIGN_BIT);
    let is_negative = (bits & F32_SIGN_BIT) != 0u;
    return bitcast<i32>(select(min(magnitude, 0x7fffffffu), 0u - min(magnitude, 0x80000000u), is_negative));
}

// Sums and products by the device, each fenced, and whether they are right: where operands and result are normal, or zeros and numbers that
// cancel each other.

// Where the device's sum is zero, its sign may be any. It is the one of zeros that agree on it, and else positive.
@if(hardware) fn float_add_quick(a: u32, b: u32) -> u32 {
    let sum = fence(bitcast<f32>(a) + bitcast<f32>(b));
    return select(sum, a & b & F32_SIGN_BIT, (sum << 1u) == 0u);
}

@if(hardware) fn float_add_is_right(a: u32, b: u32, sum: u32) -> bool {
    let needs_none = (((a | b) << 1u) == 0u) | ((a ^ b) == F32_SIGN_BIT);
    return is_zero_or_normal(a) & is_zero_or_normal(b) & (is_normal(sum) | needs_none);
}

// The sign of a zero may be any here, too.
@if(hardware) fn float_multiply_quick(a: u32, b: u32) -> u32 {
    return (fence(bitcast<f32>(a) * bitcast<f32>(b)) & ~F32_SIGN_BIT) | ((a ^ b) & F32_SIGN_BIT);
}

@if(hardware) fn float_multiply_is_right(a: u32, b: u32, product: u32) -> bool {
    let is_zero = ((a << 1u) == 0u) | ((b << 1u) == 0u);
    return is_zero_or_normal(a) & is_zero_or_normal(b) & (is_normal(product) | is_zero);
}

// Whether a sum or product shows by itself that it is right, as most do. It is a number of at least 2^-101. A device may take a subnormal operand for
// zero. Then a product is zero, and a sum is the other operand, from which less than 2^-126 takes it nowhere.
@if(hardware) fn float_is_plain(bits: u32) -> bool {
    return (bits << 1u) - 0x1a000000u < 0xe5000000u;
}

// Sums and products in integers throughout, for devices whose arithmetic failed the start-up probe.

@if(software) fn float_add_quick(a: u32, b: u32) -> u32 {
    return f32_add(a, b);
}

@if(software) fn float_add_is_right(a: u32, b: u32, sum: u32) -> bool {
    return true;
}

@if(software) fn float_multiply_quick(a: u32, b: u32) -> u32 {
    return f32_multiply(a, b);
}

@if(software) fn float_multiply_is_right(a: u32, b: u32, product: u32) -> bool {
    return true;
}

@if(software) fn float_is_plain(bits: u32) -> bool {
    return true;
}
