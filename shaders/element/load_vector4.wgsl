// The element at an index of the input.
fn elem_load(index: u32) -> Elem {
    let word = first_word(index);
    return Elem(word_load(word), word_load(word + 1u), word_load(word + 2u), word_load(word + 3u));
}

// The four elements from an index on, where words can be loaded four at a time.
fn pack_load(index: u32) -> Pack {
    if SHIFT == ANY_SHIFT {
        return pack_gather(index);
    }
    return Pack(
        vector_at(index >> 2u),
        vector_at((index >> 2u) + 1u),
        vector_at((index >> 2u) + 2u),
        vector_at((index >> 2u) + 3u),
    );
}
