// The product of two significands, whole.
struct Product {
    low: u32,
    high: u32,
}

fn significand_product(x: u32, y: u32) -> Product {
    let x_high = x >> 12u;
    let x_low = x & 0xfffu;
    let y_high = y >> 12u;
    let y_low = y & 0xfffu;
    // At most 25 bits, of which 20 belong to the lower word.
    let middle = x_high * y_low + x_low * y_high;
    let upper = x_high * y_high;
    let part = (middle << 12u) + x_low * y_low;
    let low = part + (upper << 24u);
    let carry = select(0u, 1u, part < (middle << 12u)) + select(0u, 1u, low < part);
    return Product(low, (upper >> 8u) + (middle >> 20u) + carry);
}
