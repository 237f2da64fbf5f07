// The element at an index of the input.
fn elem_load(index: u32) -> Elem {
    let word = first_word(index);
    return Elem(word_load(word), word_load(word + 1u), word_load(word + 2u));
}

// The four elements from an index on, where words can be loaded four at a time.
fn pack_load(index: u32) -> Pack {
    if SHIFT == STRIDED {
        return pack_gather(index);
    }
    let first = words_load4(index);
    let second = words_load4(index + 4u);
    let third = words_load4(index + 8u);
    return Pack(
        first.xyz,
        Elem(first.w, second.xy),
        Elem(second.zw, third.x),
        third.yzw,
    );
}
