// Elements of two words of a third input, as memory/pairs_two_words.wgsl has those of two.

fn third_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        let word = third_byte_of(index / INDEX_STEP) >> 2u;
        return Elem(third_words[word], third_words[word + 1u]);
    }
    return Elem(third_words[index], third_words[index + 1u]);
}

fn third_pack(index: u32) -> Pack {
    return Pack(
        third_elem(index),
        third_elem(index + 2u),
        third_elem(index + 4u),
        third_elem(index + 6u),
    );
}
