// Elements of one word, once they are loaded, as expressions have them.

// What no range is safe with: the smallest subnormal.
@if(word) const BITS_OF_NO_RANGE = 1u;

@if(word) fn elem_from_bits(bits: u32) -> Elem {
    return elem_from_word(bits);
}

@if(word) fn elem_to_bits(elem: Elem) -> u32 {
    return elem_to_word(elem);
}

// Elements of two words, as expressions have them.

// What no range is safe with: the smallest subnormal.
@if(two_words) const BITS_OF_NO_RANGE = vec2<u32>(1u, 0u);

@if(two_words) fn elem_from_bits(bits: vec2<u32>) -> Elem {
    return bits;
}

@if(two_words) fn elem_to_bits(elem: Elem) -> vec2<u32> {
    return elem;
}
