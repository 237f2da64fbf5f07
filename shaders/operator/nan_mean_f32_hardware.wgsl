// As sum_f32.wgsl and range_addends.wgsl: the device's adder, where it is sure to be right.

// For what is in a safe range together.
fn sum_of(a: Elem, b: Elem) -> Elem {
    return fence(bitcast<f32>(a) + bitcast<f32>(b));
}

// For anything.
fn sum_of_any(a: Elem, b: Elem) -> Elem {
    let sum = sum_of(a, b);
    if sum_is_right(a, b, sum) {
        return sum;
    }
    return f32_add(a, b);
}

// Whether what the device adds up can be seen to be right.
fn sum_is_right(a: Elem, b: Elem, sum: Elem) -> bool {
    let is_exact_zero = ((a | b) << 1u) == 0u;
    return is_zero_or_normal(a) & is_zero_or_normal(b) & (is_normal(sum) | is_exact_zero);
}

fn range_include_sum(range: Range, sum: Elem) -> Range {
    let doubled = sum << 1u;
    return Range(min(range.low, doubled - 1u), max(range.high, doubled));
}

// Whether all are 0, or at least 2^-102 and less than 2^87 in magnitude.
fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x18ffffffu) & (range.high < 0xd6000000u);
}

// The same of sums of up to 4096 elements: less than 2^114.
fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x18ffffffu) & (range.high < 0xf1000000u);
}
