// Means without NaNs, of f32s.

@if(f32) const ACC_WORDS = 3u;
@if(f32) const SHUFFLED_WORDS = ACC_WORDS;
@if(f32) const OUT_WORDS = 1u;

@if(f32) const ELEM_MARK = F32_SIGN_BIT;
@if(f32) const ELEM_NAN = F32_CANONICAL_NAN_BITS;

@if(f32) fn elem_is_mark(bits: Elem) -> bool {
    return bits == ELEM_MARK;
}

@if(f32) fn mean_words(sum: Elem, count: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(f32_mean(sum, count));
}

@if(f32) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc.sum, acc.low, acc.high);
}

@if(f32) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1], words[2]);
}

// As sum_f32.wgsl and range.wgsl: the device's adder, where it is sure to be right.

// For what is in a safe range together.
@if(f32_hardware) fn sum_of(a: Elem, b: Elem) -> Elem {
    return fence(bitcast<f32>(a) + bitcast<f32>(b));
}

// For anything.
@if(f32_hardware) fn sum_of_any(a: Elem, b: Elem) -> Elem {
    let sum = sum_of(a, b);
    if sum_is_right(a, b, sum) {
        return sum;
    }
    return f32_add(a, b);
}

// Whether what the device adds up can be seen to be right.
@if(f32_hardware) fn sum_is_right(a: Elem, b: Elem, sum: Elem) -> bool {
    let is_exact_zero = ((a | b) << 1u) == 0u;
    return is_zero_or_normal(a) & is_zero_or_normal(b) & (is_normal(sum) | is_exact_zero);
}

@if(f32_hardware) fn range_include_sum(range: Range, sum: Elem) -> Range {
    let doubled = sum << 1u;
    return Range(min(range.low, doubled - 1u), max(range.high, doubled));
}

// Whether all are 0, or at least 2^-102 and less than 2^87 in magnitude.
@if(f32_hardware) fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x18ffffffu) & (range.high < 0xd6000000u);
}

// The same of sums of up to 4096 elements: less than 2^114.
@if(f32_hardware) fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x18ffffffu) & (range.high < 0xf1000000u);
}

// IEEE-754 additions in integers throughout, for devices whose adder failed the start-up probe.
@if(f32_software) fn sum_of(a: Elem, b: Elem) -> Elem {
    return f32_add(a, b);
}

// Means without NaNs, of f64s.

@if(f64) const ACC_WORDS = 4u;
@if(f64) const SHUFFLED_WORDS = ACC_WORDS;
@if(f64) const OUT_WORDS = 2u;

@if(f64) const ELEM_MARK = Elem(0u, F64_SIGN_BIT);
@if(f64) const ELEM_NAN = F64_CANONICAL_NAN;

@if(f64) fn elem_is_mark(bits: Elem) -> bool {
    return (bits.x == 0u) & (bits.y == F64_SIGN_BIT);
}

@if(f64) fn mean_words(sum: Elem, count: vec2<u32>) -> array<u32, OUT_WORDS> {
    let mean = f64_mean(sum, count);
    return array<u32, OUT_WORDS>(mean.x, mean.y);
}

@if(f64) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(acc.sum.x, acc.sum.y, acc.low, acc.high);
}

@if(f64) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(Elem(words[0], words[1]), words[2], words[3]);
}

// As sum_f64.wgsl and range.wgsl: the device's adder, where it is sure to be right.

// For what is in a safe range together.
@if(f64_hardware) fn sum_of(a: Elem, b: Elem) -> Elem {
    return fence_f64(f64_of(a) + f64_of(b));
}

// For anything.
@if(f64_hardware) fn sum_of_any(a: Elem, b: Elem) -> Elem {
    let sum = sum_of(a, b);
    if sum_is_right(a, b, sum) {
        return sum;
    }
    return f64_add(a, b);
}

// Whether what the device adds up can be seen to be right.
@if(f64_hardware) fn sum_is_right(a: Elem, b: Elem, sum: Elem) -> bool {
    let is_exact_zero = f64_is_zero(a) & f64_is_zero(b);
    return is_zero_or_normal(a) & is_zero_or_normal(b) & (is_normal(sum) | is_exact_zero);
}

@if(f64_hardware) fn range_include_sum(range: Range, sum: Elem) -> Range {
    let word = range_word(sum);
    return Range(min(range.low, word - 1u), max(range.high, word));
}

// Whether all are 0, or at least 2^-969 and less than 2^983 in magnitude.
@if(f64_hardware) fn range_is_safe(range: Range) -> bool {
    return (range.low >= 0x06bfffffu) & (range.high < 0xfac00000u);
}

// The same of sums of up to 4096 elements: less than 2^1010.
@if(f64_hardware) fn range_is_safe_in_tile(range: Range) -> bool {
    return (range.low >= 0x06bfffffu) & (range.high < 0xfe200000u);
}

// IEEE-754 additions in integers throughout, for devices that have no f64s, or whose adder failed the start-up probe.
@if(f64_software) fn sum_of(a: Elem, b: Elem) -> Elem {
    return f64_add(a, b);
}
