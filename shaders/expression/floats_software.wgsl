// Sums and products in integers throughout, for devices whose arithmetic failed the start-up probe.

fn float_add_quick(a: u32, b: u32) -> u32 {
    return f32_add(a, b);
}

fn float_add_is_right(a: u32, b: u32, sum: u32) -> bool {
    return true;
}

fn float_multiply_quick(a: u32, b: u32) -> u32 {
    return f32_multiply(a, b);
}

fn float_multiply_is_right(a: u32, b: u32, product: u32) -> bool {
    return true;
}

fn float_is_plain(bits: u32) -> bool {
    return true;
}
