// For operators whose accumulator begins as an element.
@if(element) fn op_lift(value: Elem) -> Acc {
    return value;
}

// An integer of one word as a number of 64 bits: a sign goes on through the high word.
@if(wide) fn op_lift(value: Elem) -> Acc {
    return Acc(value, select(0u, 0u - (value >> 31u), NUMBERS == SIGNED));
}

// For sums of magnitudes, or of what is not NaN: reduce/elems.wgsl has put 0 in the place of NaNs then.
@if(counted) override IGNORES_NANS: bool = false;

@if(counted) fn op_lift(bits: Elem) -> Acc {
    if IGNORES_NANS {
        return bits;
    }
    return elem_magnitude(bits);
}

// The high word of the product of two. By halves of 16 bits: no sum here is beyond 32.
@if(high_word) fn high_word_of_product(a: u32, b: u32) -> u32 {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let first = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let second = (a & 0xffffu) * (b >> 16u) + (first & 0xffffu);
    return (a >> 16u) * (b >> 16u) + (first >> 16u) + (second >> 16u);
}

// For operators whose result is their accumulator.
@if(finish) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_pack(total);
}
