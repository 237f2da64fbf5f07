// Significands in integers, and the nearest floats to numbers made of them.

// A number that is finite and not 0, as significand * 2^exponent. The significand's highest bit is bit 23. Other bits give some number.
struct Normalized {
    significand: u32,
    exponent: i32,
}

fn f32_normalized(magnitude: u32) -> Normalized {
    let significand = f32_significand(magnitude);
    let shift = (countLeadingZeros(significand) - 8u) & 31u;
    let exponent = i32(max(magnitude >> 23u, 1u)) - 150 - i32(shift);
    return Normalized(significand << shift, exponent);
}

// The nearest float, ties to even, to leading * 2^exponent, and less than 2^exponent more if it `has_rest`. The highest bit of
// `leading` is bit 31.
fn f32_nearest(leading: u32, has_rest: bool, exponent: i32) -> u32 {
    // Of the exponent field, if the number is normal.
    let field = exponent + 158;
    // How many of the 32 bits are not kept: 8, or more for subnormals.
    let dropped = 8u + u32(max(1 - max(field, -30), 0));
    let kept = select(leading >> (dropped & 31u), 0u, dropped >= 32u);
    let below = leading << ((32u - dropped) & 31u);
    let is_half = (below >> 31u) == 1u;
    let is_more = ((below << 1u) != 0u) | has_rest;
    let up = is_half & (is_more | ((kept & 1u) == 1u));
    // The leading bit adds 1 to the exponent field, and so does a significand rounded up to 2^24.
    let number = (u32(max(field, 1) - 1) << 23u) + kept + select(0u, 1u, up);
    return select(select(number, 0u, dropped > 32u), F32_INFINITY_BITS, field >= 255);
}

// Of the bits of f32s.

@if(normal) fn is_normal(bits: u32) -> bool {
    let doubled = bits << 1u;
    return (doubled >= 0x01000000u) & (doubled < 0xff000000u);
}

@if(normal) fn is_zero_or_normal(bits: u32) -> bool {
    return is_normal(bits) | ((bits << 1u) == 0u);
}
