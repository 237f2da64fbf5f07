// Elements of one word, once they are loaded, as expressions have them.

// What no range is safe with: the smallest subnormal.
const BITS_OF_NO_RANGE = 1u;

fn elem_from_bits(bits: u32) -> Elem {
    return elem_from_word(bits);
}

fn elem_to_bits(elem: Elem) -> u32 {
    return elem_to_word(elem);
}
