// Elements of one word of a third input, as memory/pairs_words.wgsl has those of two.

fn third_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        return elem_from_word(third_words[third_byte_of(index) >> 2u]);
    }
    return elem_from_word(third_words[index]);
}

fn third_pack(index: u32) -> Pack {
    return Pack(
        third_elem(index),
        third_elem(index + 1u),
        third_elem(index + 2u),
        third_elem(index + 3u),
    );
}
