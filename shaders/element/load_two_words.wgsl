// Elements of two words, which may begin at an odd one: an index is that of the first word.

// From an element to the next one.
const INDEX_STEP = 2u;

fn first_word(index: u32) -> u32 {
    if is_strided() {
        return byte_of(index / INDEX_STEP) >> 2u;
    }
    return index;
}

// The element at an index of the input.
fn elem_load(index: u32) -> Elem {
    let word = first_word(index);
    return Elem(word_load(word), word_load(word + 1u));
}

// The four elements from an index on, where they can be loaded at a time.
fn pack_load(index: u32) -> Pack {
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
