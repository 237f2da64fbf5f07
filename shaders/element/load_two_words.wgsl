// Elements of two words. SHIFT also says whether they begin at an odd word of the binding.

// From an element to the next one.
const INDEX_STEP = 1u;

fn first_word(index: u32) -> u32 {
    if SHIFT == STRIDED {
        return byte_of(index) >> 2u;
    }
    return 2u * index + (SHIFT & 1u);
}

// The element at an index of the input.
fn elem_load(index: u32) -> Elem {
    let word = first_word(index);
    return Elem(word_load(word), word_load(word + 1u));
}

// The four elements from an index on, where words can be loaded four at a time.
fn pack_load(index: u32) -> Pack {
    if SHIFT == STRIDED {
        return Pack(
            elem_load(index),
            elem_load(index + 1u),
            elem_load(index + 2u),
            elem_load(index + 3u),
        );
    }
    let word = first_word(index);
    let low = words_load4(word);
    let high = words_load4(word + 4u);
    return Pack(low.xy, low.zw, high.xy, high.zw);
}
