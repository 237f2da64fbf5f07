// Significands in integers, and the nearest f64s to numbers made of them.

// A number that is finite and not 0, as significand * 2^exponent. The significand's highest bit is bit 52.
struct F64Normalized {
    significand: vec2<u32>,
    exponent: i32,
}

fn two_words_leading_zeros(value: vec2<u32>) -> u32 {
    return select(countLeadingZeros(value.y), 32u + countLeadingZeros(value.x), value.y == 0u);
}

fn f64_normalized(bits: vec2<u32>) -> F64Normalized {
    let field = (bits.y >> 20u) & 0x7ffu;
    let fraction = vec2<u32>(bits.x, bits.y & 0x000fffffu);
    let hidden = select(0u, 0x00100000u, field != 0u);
    let shift = select(two_words_leading_zeros(fraction) - 11u, 0u, field != 0u);
    let significand = shifted_left(vec2<u32>(fraction.x, fraction.y | hidden), shift);
    return F64Normalized(significand, i32(max(field, 1u)) - 1075 - i32(shift));
}

// The nearest f64, ties to even, to leading * 2^exponent, and less than 2^exponent more if it `has_rest`. The highest bit of
// `leading` is bit 63.
fn f64_nearest(leading: vec2<u32>, has_rest: bool, exponent: i32) -> vec2<u32> {
    // Of the exponent field, if the number is normal.
    let field = exponent + 1086;
    if field >= 2047 {
        return vec2<u32>(0u, F64_INFINITY_HIGH);
    }
    // How many of the 64 bits are not kept: 11, or more for subnormals.
    let dropped = 11u + u32(max(1 - max(field, -70), 0));
    if dropped > 64u {
        return vec2<u32>(0u, 0u);
    }
    // All but the first of those.
    let shifted = shifted_right(leading, dropped - 1u);
    let kept = shifted_right(shifted.value, 1u).value;
    let is_half = (shifted.value.x & 1u) == 1u;
    let is_more = (shifted.lost != 0u) | has_rest;
    let up = select(0u, 1u, is_half & (is_more | ((kept.x & 1u) == 1u)));
    // The leading bit adds 1 to the exponent field, and so does a significand rounded up to 2^53.
    let low = kept.x + up;
    return vec2<u32>(low, (u32(max(field, 1) - 1) << 20u) + kept.y + select(0u, 1u, low < up));
}

// Of the bits of f64s.

@if(normal) fn is_normal(bits: vec2<u32>) -> bool {
    let doubled = bits.y << 1u;
    return (doubled >= 0x00200000u) & (doubled < 0xffe00000u);
}

@if(normal) fn is_zero_or_normal(bits: vec2<u32>) -> bool {
    return is_normal(bits) | f64_is_zero(bits);
}

// Shifts of 64 bits, as two words, without a branch.

@if(shift) fn shifted_left(value: vec2<u32>, distance: u32) -> vec2<u32> {
    let is_far = distance >= 32u;
    let low = select(value.x, 0u, is_far);
    let high = select(value.y, value.x, is_far);
    let near = distance & 31u;
    // Not by 32 where nothing is shifted.
    return vec2<u32>(low << near, (high << near) | ((low >> 1u) >> (near ^ 31u)));
}

@if(shift) struct ShiftedRight {
    value: vec2<u32>,
    // Not 0 if a bit is lost.
    lost: u32,
}

@if(shift) fn shifted_right(value: vec2<u32>, distance: u32) -> ShiftedRight {
    let is_far = distance >= 32u;
    let low = select(value.x, value.y, is_far);
    let high = select(value.y, 0u, is_far);
    let near = distance & 31u;
    let shifted = vec2<u32>((low >> near) | ((high << 1u) << (near ^ 31u)), high >> near);
    return ShiftedRight(shifted, select(0u, value.x, is_far) | ((low << 1u) << (near ^ 31u)));
}

// Floats of the device, of 64 bits, where it has them, and integers as wide: of two words, and back.

@if(fence) fn f64_of(bits: vec2<u32>) -> f64 {
    return bitcast<f64>(u64(bits.x) | (u64(bits.y) << 32u));
}

// As `fence` in params.wgsl: no compiler sees through it.
@if(fence) fn fence_f64(x: f64) -> vec2<u32> {
    let bits = bitcast<u64>(x) ^ u64(params.zero);
    return vec2<u32>(u32(bits), u32(bits >> 32u));
}

// The product of two significands in [1, 2), as the bits of an f64 in [1, 4), by the device's multiplier: nothing is subnormal or
// infinite.
@if(hardware) fn product_of_significands(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return fence_f64(f64_of(a) * f64_of(b));
}

// The product of two significands in [1, 2), as the bits of an f64 in [1, 4), in integers.
@if(software) fn product_of_significands(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return f64_multiply(a, b);
}
