// Floats are bf16s: the higher halves of f32s.
override ARE_BF16: bool = false;

// The higher half of each word, widened.
fn elems_of_tops(tops: vec4<u32>) -> Quad {
    if NUMBERS == SIGNED {
        return bitcast<vec4<u32>>(bitcast<vec4<i32>>(tops) >> vec4<u32>(16u));
    }
    if NUMBERS == UNSIGNED {
        return tops >> vec4<u32>(16u);
    }
    if ARE_BF16 {
        return tops & vec4<u32>(0xffff0000u);
    }
    return f32s_of_f16s(tops);
}

// f16s in the higher halves as f32s of the same values: in integers, as a device may flush subnormal ones, and change NaNs.
fn f32s_of_f16s(tops: vec4<u32>) -> vec4<u32> {
    // Exponent and fraction, where an f32 has them.
    let magnitudes = (tops >> vec4<u32>(3u)) & vec4<u32>(0x0fffe000u);
    // Biases are 15 and 127; infinities and NaNs have the largest exponent of either.
    let is_finite = magnitudes < vec4<u32>(0x0f800000u);
    let normal = magnitudes + select(vec4<u32>(0x70000000u), vec4<u32>(0x38000000u), is_finite);
    // A subnormal one is a whole number of 2^-24: its leading bit is hidden.
    let numbers = magnitudes >> vec4<u32>(13u);
    let leading = firstLeadingBit(numbers | vec4<u32>(1u));
    let fractions = (numbers << (vec4<u32>(23u) - leading)) & vec4<u32>(0x007fffffu);
    let subnormal = ((leading + vec4<u32>(103u)) << vec4<u32>(23u)) | fractions;
    let has_exponent = magnitudes >= vec4<u32>(0x00800000u);
    let widened = select(subnormal, normal, has_exponent);
    let is_zero = magnitudes == vec4<u32>(0u);
    return select(widened, vec4<u32>(0u), is_zero) | (tops & vec4<u32>(0x80000000u));
}
