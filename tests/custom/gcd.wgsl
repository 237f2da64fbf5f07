// The greatest common divisor: an accumulator is an element, and so is the result. It has a loop.
fn identity() -> u32 {
    return 0u;
}

fn combine(a: u32, b: u32) -> u32 {
    var x = a;
    var y = b;
    while y != 0u {
        let rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}
