const ELEM_MIN = Elem(0u, 0u);
const ELEM_MAX = Elem(0xffffffffu, 0xffffffffu);

fn elem_less(a: Elem, b: Elem) -> bool {
    return two_words_less(a, b);
}

fn elem_magnitude(value: Elem) -> vec2<u32> {
    return value;
}
