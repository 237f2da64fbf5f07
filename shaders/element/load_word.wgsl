// Elements of one word.

// The element at an index of the input.
fn elem_load(index: u32) -> Elem {
    return elem_from_word(word_load(index));
}

// The four elements from an index on, where words can be loaded four at a time.
fn quad_load(index: u32) -> Quad {
    let words = words_load4(index);
    return Quad(
        elem_from_word(words.x),
        elem_from_word(words.y),
        elem_from_word(words.z),
        elem_from_word(words.w),
    );
}
