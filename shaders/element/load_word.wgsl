// Elements of one word.

// From an element to the next one.
const INDEX_STEP = 1u;

fn word_of(index: u32) -> u32 {
    if SHIFT == ANY_SHIFT {
        return byte_of(index) >> 2u;
    }
    return index;
}

// The element at an index of the input.
fn elem_load(index: u32) -> Elem {
    return elem_from_word(word_load(word_of(index)));
}

fn pack_of_words(words: vec4<u32>) -> Pack {
    return Pack(
        elem_from_word(words.x),
        elem_from_word(words.y),
        elem_from_word(words.z),
        elem_from_word(words.w),
    );
}

// The four elements from an index on, where they can be loaded at a time.
fn pack_load(index: u32) -> Pack {
    if SHIFT == ANY_SHIFT {
        return Pack(
            elem_load(index),
            elem_load(index + 1u),
            elem_load(index + 2u),
            elem_load(index + 3u),
        );
    }
    return pack_of_words(vector_at(index >> 2u));
}
