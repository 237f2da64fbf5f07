// The product of two significands, whole: upper * 2^24 + lower.
struct Product {
    upper: u32,
    lower: u32,
}

fn significand_product(x: u32, y: u32) -> Product {
    let x_high = x >> 12u;
    let x_low = x & 0xfffu;
    let y_high = y >> 12u;
    let y_low = y & 0xfffu;
    let middle = x_high * y_low + x_low * y_high;
    let low = x_low * y_low + ((middle & 0xfffu) << 12u);
    return Product(x_high * y_high + (middle >> 12u) + (low >> 24u), low & 0x00ffffffu);
}
