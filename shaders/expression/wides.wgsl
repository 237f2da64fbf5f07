// What expressions do with integers of 64 bits: two words, the low one first. (What floats of 64 bits need of these, too.)

const WIDE_SIGN = vec2<u32>(0u, 0x80000000u);

fn wide_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn wide_subtract(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn wide_negate(a: vec2<u32>) -> vec2<u32> {
    return wide_subtract(vec2<u32>(0u, 0u), a);
}

// Of a signed number. Of the smallest that is itself.
fn wide_magnitude(a: vec2<u32>) -> vec2<u32> {
    return select(a, wide_negate(a), (a.y >> 31u) == 1u);
}

// What is beyond 64 bits is not there.
fn wide_multiply(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x * b.x, high_word_of_product(a.x, b.x) + a.x * b.y + a.y * b.x);
}

struct WideQuotient {
    quotient: vec2<u32>,
    rest: vec2<u32>,
}

// Of unsigned numbers, bit by bit. What is divided by zero remains itself, as if that were 1.
fn wide_divide(a: vec2<u32>, b: vec2<u32>) -> WideQuotient {
    let divisor = select(b, vec2<u32>(1u, 0u), (b.x | b.y) == 0u);
    // The bits of the dividend go out at the top, and those of the quotient come in at the bottom.
    var bits = a;
    var rest = vec2<u32>(0u, 0u);
    for (var i = 0u; i < 64u; i++) {
        // A 65th bit of the rest is above every divisor.
        let is_above = (rest.y >> 31u) == 1u;
        let doubled = shifted_left(rest, 1u);
        let next = vec2<u32>(doubled.x | (bits.y >> 31u), doubled.y);
        let fits = is_above | !two_words_less(next, divisor);
        rest = select(next, wide_subtract(next, divisor), fits);
        let left = shifted_left(bits, 1u);
        bits = vec2<u32>(left.x | select(0u, 1u, fits), left.y);
    }
    return WideQuotient(bits, rest);
}

// Towards zero. The smallest by -1 is itself.
fn wide_divide_signed(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let quotient = wide_divide(wide_magnitude(a), wide_magnitude(b)).quotient;
    return select(quotient, wide_negate(quotient), ((a.y ^ b.y) >> 31u) == 1u);
}

// It has the sign of the dividend.
fn wide_remainder_signed(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let rest = wide_divide(wide_magnitude(a), wide_magnitude(b)).rest;
    return select(rest, wide_negate(rest), (a.y >> 31u) == 1u);
}

// Of a signed number: bits come in that are as its sign.
fn wide_shifted_right(a: vec2<u32>, distance: u32) -> vec2<u32> {
    let signs = vec2<u32>(0u - (a.y >> 31u));
    return shifted_right(a ^ signs, distance).value ^ signs;
}

fn wide_equal(a: vec2<u32>, b: vec2<u32>) -> bool {
    return (a.x == b.x) & (a.y == b.y);
}

fn wide_of_i32(a: i32) -> vec2<u32> {
    let word = bitcast<u32>(a);
    return vec2<u32>(word, 0u - (word >> 31u));
}

fn wide_count_one_bits(a: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(countOneBits(a.x) + countOneBits(a.y), 0u);
}

fn wide_count_leading_zeros(a: vec2<u32>) -> vec2<u32> {
    let low = 32u + countLeadingZeros(a.x);
    return vec2<u32>(select(countLeadingZeros(a.y), low, a.y == 0u), 0u);
}

fn wide_count_trailing_zeros(a: vec2<u32>) -> vec2<u32> {
    let high = 32u + countTrailingZeros(a.y);
    return vec2<u32>(select(countTrailingZeros(a.x), high, a.x == 0u), 0u);
}

fn wide_reverse_bits(a: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(reverseBits(a.y), reverseBits(a.x));
}

// The f32s nearest to integers of 64 bits, ties to even.

@if(floats) fn float_of_unsigned(number: vec2<u32>) -> u32 {
    if (number.x | number.y) == 0u {
        return 0u;
    }
    let up = two_words_leading_zeros(number);
    let leading = shifted_left(number, up);
    return f32_nearest(leading.y, leading.x != 0u, 32 - i32(up));
}

@if(floats) fn float_of_signed(number: vec2<u32>) -> u32 {
    return float_of_unsigned(wide_magnitude(number)) | (number.y & F32_SIGN_BIT);
}
