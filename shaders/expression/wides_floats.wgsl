// The f32s nearest to integers of 64 bits, ties to even.

fn float_of_unsigned(number: vec2<u32>) -> u32 {
    if (number.x | number.y) == 0u {
        return 0u;
    }
    let up = two_words_leading_zeros(number);
    let leading = shifted_left(number, up);
    return f32_nearest(leading.y, leading.x != 0u, 32 - i32(up));
}

fn float_of_signed(number: vec2<u32>) -> u32 {
    return float_of_unsigned(wide_magnitude(number)) | (number.y & F32_SIGN_BIT);
}
