// Elements of several components of a third input, as pairs_components.wgsl has those of two.

fn third_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        return elem_from_word(third_byte_of(index / COMPONENTS) >> 2u);
    }
    return elem_from_word(index);
}

fn third_pack(index: u32) -> Pack {
    return Pack(
        third_elem(index),
        third_elem(index + COMPONENTS),
        third_elem(index + 2u * COMPONENTS),
        third_elem(index + 3u * COMPONENTS),
    );
}

fn z_component(word: u32, component: u32) -> u32 {
    return third_words[word + component];
}
