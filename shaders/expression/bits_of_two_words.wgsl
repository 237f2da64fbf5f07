// Elements of two words, as expressions have them.

// What no range is safe with: the smallest subnormal.
const BITS_OF_NO_RANGE = vec2<u32>(1u, 0u);

fn elem_from_bits(bits: vec2<u32>) -> Elem {
    return bits;
}

fn elem_to_bits(elem: Elem) -> vec2<u32> {
    return elem;
}
