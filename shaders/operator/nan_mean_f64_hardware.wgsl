// As sum_f64.wgsl and range_f64_addends.wgsl: the device's adder, where it is sure to be right.

// For what is in a safe range together.
fn sum_of(a: Elem, b: Elem) -> Elem {
    return fence_f64(f64_of(a) + f64_of(b));
}

// For anything.
fn sum_of_any(a: Elem, b: Elem) -> Elem {
    let sum = sum_of(a, b);
    if sum_is_right(a, b, sum) {
        return sum;
    }
    return f64_add(a, b);
}

// Whether what the device adds up can be seen to be right.
fn sum_is_right(a: Elem, b: Elem, sum: Elem) -> bool {
    let is_exact_zero = f64_is_zero(a) & f64_is_zero(b);
    return is_zero_or_normal(a) & is_zero_or_normal(b) & (is_normal(sum) | is_exact_zero);
}

fn range_include_sum(range: Range, sum: Elem) -> Range {
    let word = range_word(sum);
    return Range(min(range.low, word - 1u), max(range.high, word));
}

// Whether all are 0, or at least 2^-969 and less than 2^983 in magnitude.
fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x06bfffffu) & (range.high < 0xfac00000u);
}

// The same of sums of up to 4096 elements: less than 2^1010.
fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x06bfffffu) & (range.high < 0xfe200000u);
}
