// Elements of two words. SHIFT also says whether they begin at an odd word of the binding.

fn first_word(index: u32) -> u32 {
    return 2u * index + (SHIFT & 1u);
}

// The element at an index of the input.
fn elem_load(index: u32) -> Elem {
    let word = first_word(index);
    return Elem(word_load(word), word_load(word + 1u));
}

// The four elements from an index on, where words can be loaded four at a time.
fn quad_load(index: u32) -> Quad {
    let word = first_word(index);
    let low = words_load4(word);
    let high = words_load4(word + 4u);
    return Quad(low.xy, low.zw, high.xy, high.zw);
}
