const ELEM_SIGN = Elem(0u, 0x80000000u);
const ELEM_MIN = ELEM_SIGN;
const ELEM_MAX = Elem(0xffffffffu, 0x7fffffffu);

// With the sign bit the other way round numbers are in the order of unsigned ones.
fn elem_less(a: Elem, b: Elem) -> bool {
    return two_words_less(a ^ ELEM_SIGN, b ^ ELEM_SIGN);
}

// Unsigned, because that of the smallest is no i64.
fn elem_magnitude(value: Elem) -> vec2<u32> {
    // A low word of 0 borrows.
    let negated = vec2<u32>(0u - value.x, ~value.y + select(0u, 1u, value.x == 0u));
    return select(value, negated, (value.y >> 31u) == 1u);
}
