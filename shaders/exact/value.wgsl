// The sum, rounded once.
@if(sum) fn exact_value(specials: u32, len: vec2<u32>) -> u32 {
    if specials != 0u {
        return special_value(specials);
    }
    let sign = select(0u, F32_SIGN_BIT, take_sign(0u));
    return sign | nearest(leading_bits(), 0u);
}

// The sum of f64s, rounded once.
@if(sum_f64) fn exact_value(specials: u32, len: vec2<u32>) -> vec2<u32> {
    if specials != 0u {
        return special_value(specials);
    }
    let sign = select(0u, F64_SIGN_BIT, take_sign(0u));
    return nearest(leading_bits(), 0u) | vec2<u32>(0u, sign);
}

// The sum divided by the number of elements, rounded once.
@if(mean) fn exact_value(specials: u32, len: vec2<u32>) -> u32 {
    if all(len == vec2<u32>()) {
        return F32_CANONICAL_NAN_BITS;
    }
    if specials != 0u {
        return special_value(specials);
    }
    let sign = select(0u, F32_SIGN_BIT, take_sign(0u));
    let divisor = vec3<u32>(len, 0u);
    return sign | nearest(leading_quotient_bits(divisor), 1u);
}

// The sum of f64s divided by their number, rounded once.
@if(mean_f64) fn exact_value(specials: u32, len: vec2<u32>) -> vec2<u32> {
    if all(len == vec2<u32>()) {
        return F64_CANONICAL_NAN;
    }
    if specials != 0u {
        return special_value(specials);
    }
    let sign = select(0u, F64_SIGN_BIT, take_sign(0u));
    let divisor = vec3<u32>(len, 0u);
    return nearest(leading_quotient_bits(divisor), 1u) | vec2<u32>(0u, sign);
}

// The sum of products, rounded once.
@if(products) fn exact_value(specials: u32, len: vec2<u32>) -> u32 {
    if specials != 0u {
        return special_value(specials);
    }
    let sign = select(0u, F32_SIGN_BIT, take_sign(0u));
    return sign | nearest(leading_bits(), 149u);
}

// The square root of the sum of squares, rounded once.
@if(norm) fn exact_value(specials: u32, len: vec2<u32>) -> u32 {
    if specials != 0u {
        return special_value(specials);
    }
    let radicand = leading_bits();
    // The root of 4 N in units of 2^-150, where N is in units of 2^-298. The last of the bits taken of 4 N, 63 or 64
    // of them, stands for an even power of two: 2^(place + 2 - 62) or 2^(place + 2 - 63).
    let drops_one = (radicand.place & 1u) == 0u;
    var high = radicand.high;
    var low = radicand.low;
    var has_rest = radicand.has_rest;
    if drops_one {
        has_rest = has_rest | ((low & 1u) == 1u);
        low = (low >> 1u) | (high << 31u);
        high >>= 1u;
    }
    let found = root_of(high, low);
    has_rest = has_rest | found.has_rest;
    // The root's highest bit is bit 31, and its last stands for half the power.
    let place = (radicand.place + 2u + select(0u, 1u, drops_one) + 62u - 63u) / 2u;
    return nearest(Leading(found.root, 0u, place, has_rest), 1u);
}
