// Numbers in two's complement.

fn is_negative(value: u32) -> bool {
    return value >= 0x80000000u;
}

// Whether the sum of two numbers is not their sum in two's complement.
fn overflows(a: u32, b: u32) -> bool {
    let sum = a + b;
    return is_negative((a ^ sum) & (b ^ sum));
}
