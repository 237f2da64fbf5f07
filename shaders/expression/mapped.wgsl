// What the device makes of an expression, as a word, and whether that is right.
@if(word) struct Mapped {
    bits: u32,
    is_right: bool,
    // Whether the element counts.
    is_kept: bool,
}

// What the device makes of an expression of 64 bits, and whether that is right.
@if(two_words) struct Mapped {
    bits: vec2<u32>,
    is_right: bool,
    // Whether the element counts.
    is_kept: bool,
}

// Elements' numbers, where the index alone is looked at.

// The place of the first of some elements in the whole sequence, modulo 2^32.
@if(number) alias Number = u32;

@if(number) fn number_at(job: Params, at: u32) -> Number {
    return index_of(job, at);
}

@if(number) fn number_index(number: Number) -> u32 {
    return number;
}
