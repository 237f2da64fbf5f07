// The product of two significands in [1, 2), as the bits of an f32 in [1, 4), by the device's multiplier:
// nothing is subnormal or infinite.
@if(hardware) fn significand_product(a: u32, b: u32) -> u32 {
    return fence(bitcast<f32>(a) * bitcast<f32>(b));
}

// The product of two significands in [1, 2), as the bits of an f32 in [1, 4), in integers: rounded to
// nearest, ties to even.
@if(software) fn significand_product(a: u32, b: u32) -> u32 {
    let x = (a & FRACTION_MASK) | HIDDEN_BIT;
    let y = (b & FRACTION_MASK) | HIDDEN_BIT;
    // 48 bits, by halves of 16.
    let low_product = (x & 0xffffu) * (y & 0xffffu);
    let middle = (x & 0xffffu) * (y >> 16u) + (x >> 16u) * (y & 0xffffu);
    let low = low_product + (middle << 16u);
    let carry = select(0u, 1u, low < low_product);
    let high = (x >> 16u) * (y >> 16u) + (middle >> 16u) + carry;
    // 24 of them are kept.
    let shift = select(23u, 24u, high >= 0x8000u);
    let kept = (high << (32u - shift)) | (low >> shift);
    let rest = low & ((1u << shift) - 1u);
    let half = 1u << (shift - 1u);
    let rounds_up = (rest > half) | ((rest == half) & ((kept & 1u) == 1u));
    // The leading bit adds one to the exponent, as a carry of the rounding does.
    return ((103u + shift) << 23u) + kept + select(0u, 1u, rounds_up);
}
