// A total divided by a number of 64 bits, and rounded: in integers, as WGSL's division is not the nearest float.
fn f32_mean(total: u32, len: vec2<u32>) -> u32 {
    let sign = total & F32_SIGN_BIT;
    let magnitude = total & ~F32_SIGN_BIT;
    if (magnitude > F32_INFINITY_BITS) | ((len.x | len.y) == 0u) {
        return F32_CANONICAL_NAN_BITS;
    }
    if magnitude == F32_INFINITY_BITS {
        return total;
    }
    if magnitude == 0u {
        return 0u;
    }
    let sum = f32_normalized(magnitude);
    // Both with their highest bit in bit 62.
    let zeros = select(countLeadingZeros(len.y), 32u + countLeadingZeros(len.x), len.y == 0u);
    let highest = select(len.y, len.x, len.y == 0u);
    let next = select(len.x, 0u, len.y == 0u);
    let shift = zeros & 31u;
    let high = (highest << shift) | ((next >> 1u) >> (31u - shift));
    let divisor_high = high >> 1u;
    // No length has so many bits that the last one is lost.
    let divisor_low = ((next << shift) >> 1u) | (high << 31u);
    var rest_high = sum.significand << 7u;
    var rest_low = 0u;
    // 27 bits, of which the first or the second is set.
    var quotient = 0u;
    for (var i = 0u; i < 27u; i++) {
        let fits = (rest_high > divisor_high) | ((rest_high == divisor_high) & (rest_low >= divisor_low));
        quotient = (quotient << 1u) | select(0u, 1u, fits);
        if fits {
            rest_high -= divisor_high + select(0u, 1u, rest_low < divisor_low);
            rest_low -= divisor_low;
        }
        rest_high = (rest_high << 1u) | (rest_low >> 31u);
        rest_low <<= 1u;
    }
    let up = countLeadingZeros(quotient);
    let exponent = sum.exponent + i32(zeros) - 66 - i32(up);
    let mean = f32_nearest(quotient << up, (rest_high | rest_low) != 0u, exponent);
    // No negative zero.
    return select(sign | mean, 0u, mean == 0u);
}

// The sum divided by the number of elements, rounded.
@if(finish) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(f32_mean(total, len));
}
