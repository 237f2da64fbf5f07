// Elements of one word.

// From an element to the next one.
const INDEX_STEP = 1u;

// The element at an index of the input.
fn elem_load(index: u32) -> Elem {
    if SHIFT == STRIDED {
        return elem_from_word(word_load(byte_of(index) >> 2u));
    }
    return elem_from_word(word_load(index));
}

fn pack_of_words(words: vec4<u32>) -> Pack {
    return Pack(
        elem_from_word(words.x),
        elem_from_word(words.y),
        elem_from_word(words.z),
        elem_from_word(words.w),
    );
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
    return pack_of_words(words_load4(index));
}
