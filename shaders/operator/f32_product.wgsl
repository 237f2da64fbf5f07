// IEEE-754 multiplication in integers: round to nearest, ties to even, with subnormals, infinities and NaNs. On the bits of
// floats.
fn f32_multiply(a: u32, b: u32) -> u32 {
    return f32_multiply_scaled(a, b, 0);
}

// The product times 2^scale, rounded once.
fn f32_multiply_scaled(a: u32, b: u32, scale: i32) -> u32 {
    let sign = (a ^ b) & F32_SIGN_BIT;
    let larger = max(a & ~F32_SIGN_BIT, b & ~F32_SIGN_BIT);
    let smaller = min(a & ~F32_SIGN_BIT, b & ~F32_SIGN_BIT);
    if larger >= F32_INFINITY_BITS {
        let is_nan = (larger > F32_INFINITY_BITS) | (smaller == 0u);
        return select(sign | F32_INFINITY_BITS, F32_CANONICAL_NAN_BITS, is_nan);
    }
    if smaller == 0u {
        return sign;
    }
    let x = f32_normalized(larger);
    let y = f32_normalized(smaller);
    // 48 bits, or 47, by halves of 12.
    let low_product = (x.significand & 0xfffu) * (y.significand & 0xfffu);
    let middle = (x.significand & 0xfffu) * (y.significand >> 12u)
        + (x.significand >> 12u) * (y.significand & 0xfffu);
    let low = low_product + ((middle & 0xfffu) << 12u);
    let high = (x.significand >> 12u) * (y.significand >> 12u) + (middle >> 12u) + (low >> 24u);
    // The leading 32 of them, from above and below bit 24.
    let up = countLeadingZeros(high);
    let rest_bits = 24u - up;
    let leading = (high << up) | ((low & 0xffffffu) >> rest_bits);
    let has_rest = (low & ((1u << rest_bits) - 1u)) != 0u;
    return sign | f32_nearest(leading, has_rest, x.exponent + y.exponent + i32(rest_bits) + scale);
}

// A product as significand and exponent apart, so that nothing overflows or underflows midway:
// the value is significand * 2^exponent, with the significand in [1, 2). Zeros, infinities and NaNs
// are flags; the sign is a bit of the flags.
@if(factors) struct Factor {
    flags: u32,
    // Bits of an f32 in [1, 2).
    significand: u32,
    // A 64-bit two's complement number: 2^40 factors can be 2^-149 each.
    exponent_low: u32,
    exponent_high: u32,
}

@if(factors) const FLAG_NAN = 1u;
@if(factors) const FLAG_INFINITE = 2u;
@if(factors) const FLAG_ZERO = 4u;
@if(factors) const FLAGS_SPECIAL = 7u;
@if(factors) const FLAG_NEGATIVE = F32_SIGN_BIT;

@if(factors) const ONE_BITS = 0x3f800000u;
@if(factors) const TWO_BITS = 0x40000000u;
@if(factors) const FRACTION_MASK = 0x007fffffu;
@if(factors) const HIDDEN_BIT = 0x00800000u;

@if(factors) fn factor_of(bits: u32) -> Factor {
    let negative = bits & F32_SIGN_BIT;
    let magnitude = bits & ~F32_SIGN_BIT;
    if magnitude == 0u {
        return Factor(negative | FLAG_ZERO, ONE_BITS, 0u, 0u);
    }
    if magnitude >= F32_INFINITY_BITS {
        let special = select(FLAG_INFINITE, FLAG_NAN, magnitude > F32_INFINITY_BITS);
        return Factor(negative | special, ONE_BITS, 0u, 0u);
    }
    // A subnormal's leading bit is moved to where a normal number hides it.
    let is_subnormal = magnitude < HIDDEN_BIT;
    let shift = select(0u, countLeadingZeros(magnitude) - 8u, is_subnormal);
    let exponent = select(i32(magnitude >> 23u) - 127, -126 - i32(shift), is_subnormal);
    let significand = ((magnitude << shift) & FRACTION_MASK) | ONE_BITS;
    return Factor(negative, significand, bitcast<u32>(exponent), bitcast<u32>(exponent >> 31u));
}

@if(factors) fn factors_product(a: Factor, b: Factor) -> Factor {
    // In [1, 4); at 2 and above the halving is exact, on the bits.
    let product = significand_product(a.significand, b.significand);
    let halved = select(0u, 1u, product >= TWO_BITS);
    let sum = a.exponent_low + b.exponent_low;
    let low = sum + halved;
    let carry = select(0u, 1u, sum < a.exponent_low) + select(0u, 1u, low < sum);
    return Factor(
        ((a.flags ^ b.flags) & FLAG_NEGATIVE) | ((a.flags | b.flags) & FLAGS_SPECIAL),
        product - (halved << 23u),
        low,
        a.exponent_high + b.exponent_high + carry,
    );
}

@if(factors) fn factor_bits(total: Factor) -> u32 {
    let negative = total.flags & FLAG_NEGATIVE;
    let is_zero = (total.flags & FLAG_ZERO) != 0u;
    let is_infinite = (total.flags & FLAG_INFINITE) != 0u;
    if ((total.flags & FLAG_NAN) != 0u) | (is_zero & is_infinite) {
        return F32_CANONICAL_NAN_BITS;
    }
    if is_infinite {
        return negative | F32_INFINITY_BITS;
    }
    if is_zero {
        return negative;
    }
    // Clamped to 32 bits: whatever does not fit is far outside the range of an f32.
    var exponent = bitcast<i32>(total.exponent_low);
    if bitcast<u32>(exponent >> 31u) != total.exponent_high {
        exponent = select(1000, -1000, (total.exponent_high >> 31u) == 1u);
    }
    if exponent > 127 {
        return negative | F32_INFINITY_BITS;
    }
    let fraction = total.significand & FRACTION_MASK;
    if exponent >= -126 {
        return negative | (u32(exponent + 127) << 23u) | fraction;
    }
    // Subnormal: to the nearest multiple of 2^-149, ties to even. More than 24 bits are worth
    // less than half of the smallest.
    let excess = u32(-126 - max(exponent, -200));
    if excess > 24u {
        return negative;
    }
    let whole = fraction | HIDDEN_BIT;
    let kept = whole >> excess;
    let rest = whole & ((1u << excess) - 1u);
    let half = 1u << (excess - 1u);
    let rounds_up = (rest > half) | ((rest == half) & ((kept & 1u) == 1u));
    return negative | (kept + select(0u, 1u, rounds_up));
}
