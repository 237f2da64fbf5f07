// A total divided by a number of 64 bits, and rounded, in integers.
fn f64_mean(total: vec2<u32>, len: vec2<u32>) -> vec2<u32> {
    let sign = total.y & F64_SIGN_BIT;
    if f64_is_nan(total) | ((len.x | len.y) == 0u) {
        return F64_CANONICAL_NAN;
    }
    if (total.y & ~F64_SIGN_BIT) == F64_INFINITY_HIGH {
        return total;
    }
    if f64_is_zero(total) {
        return vec2<u32>(0u, 0u);
    }
    let sum = f64_normalized(total);
    // Both with their highest bit in bit 62. No length has so many bits that the last one is lost.
    let zeros = two_words_leading_zeros(len);
    let divisor = shifted_right(shifted_left(len, zeros), 1u).value;
    var rest = shifted_left(sum.significand, 10u);
    // 56 bits, of which the first or the second is set.
    var quotient = vec2<u32>(0u, 0u);
    for (var i = 0u; i < 56u; i++) {
        let fits = !two_words_less(rest, divisor);
        quotient = shifted_left(quotient, 1u);
        if fits {
            quotient.x |= 1u;
            rest = vec2<u32>(
                rest.x - divisor.x,
                rest.y - divisor.y - select(0u, 1u, rest.x < divisor.x),
            );
        }
        rest = shifted_left(rest, 1u);
    }
    let up = two_words_leading_zeros(quotient);
    let exponent = sum.exponent + i32(zeros) - 66 - i32(up);
    let mean = f64_nearest(shifted_left(quotient, up), (rest.x | rest.y) != 0u, exponent);
    // No negative zero.
    return vec2<u32>(mean.x, select(sign | mean.y, 0u, (mean.x | mean.y) == 0u));
}

// The sum divided by the number of elements, rounded, in integers.
@if(finish) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(f64_mean(total, len));
}
