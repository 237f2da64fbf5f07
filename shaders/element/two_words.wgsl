// An element of 64 bits is two words, the low one first: no device needs to know wider integers, or such floats.
alias Elem = vec2<u32>;

struct Quad {
    x: Elem,
    y: Elem,
    z: Elem,
    w: Elem,
}

// Unsigned, because the magnitude of the smallest i64 is no i64. Every NaN of floats has one magnitude, above all others.
fn elem_magnitude(value: Elem) -> vec2<u32> {
    if NUMBERS == FLOATS {
        return select(f64_without_sign(value), F64_CANONICAL_NAN, f64_is_nan(value));
    }
    // A low word of 0 borrows.
    let negated = vec2<u32>(0u - value.x, ~value.y + select(0u, 1u, value.x == 0u));
    return select(value, negated, (NUMBERS == SIGNED) & (value.y >= 0x80000000u));
}

// -0 is, NaN is not.
fn elem_is_zero(value: Elem) -> bool {
    if NUMBERS == FLOATS {
        return f64_is_zero(value);
    }
    return (value.x | value.y) == 0u;
}

// No integer is.
fn elem_is_nan(value: Elem) -> bool {
    return (NUMBERS == FLOATS) & f64_is_nan(value);
}

// Elements of two words, which may begin at an odd one: an index is that of the first word.

// From an element to the next one.
@if(load) const INDEX_STEP = 2u;

@if(load) fn first_word(index: u32) -> u32 {
    if is_strided() {
        return byte_of(index / INDEX_STEP) >> 2u;
    }
    return index;
}

// The element at an index of the input.
@if(load) fn elem_load(index: u32) -> Elem {
    let word = first_word(index);
    return Elem(word_load(word), word_load(word + 1u));
}

// The four elements from an index on, where they can be loaded at a time.
@if(load) fn pack_load(index: u32) -> Pack {
    if is_strided() {
        return Pack(
            elem_load(index),
            elem_load(index + 2u),
            elem_load(index + 4u),
            elem_load(index + 6u),
        );
    }
    if SHIFT == ANY_SHIFT {
        let low = words_load4(index);
        let high = words_load4(index + 4u);
        return Pack(low.xy, low.zw, high.xy, high.zw);
    }
    let low = vector_at(index >> 2u);
    let high = vector_at((index >> 2u) + 1u);
    if SHIFT == 0u {
        return Pack(low.xy, low.zw, high.xy, high.zw);
    }
    let last = vector_at((index >> 2u) + 2u);
    return Pack(low.zw, high.xy, high.zw, last.xy);
}

// The word that begins at a bit of `low`, below 32, and goes on in `high`.
@if(join) fn words_join(low: u32, high: u32, bit: u32) -> u32 {
    // In two steps, as no shift by 32 has a meaning.
    return (low >> bit) | ((high << 1u) << (31u - bit));
}

// Comparisons of 64 bits, as two words, the low one first.

// Whether a is less than b, as unsigned numbers.
@if(less) fn two_words_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return (a.y < b.y) | ((a.y == b.y) & (a.x < b.x));
}
