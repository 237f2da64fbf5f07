// Words of bits. The first and the last one of a launch may have bits that are not the input's: the operator says what stands for them.

// From a word to the next one.
const INDEX_STEP = 1u;

fn own_bits(word: u32, index: u32) -> Elem {
    let at = index - params.base;
    let of_first = select(ELEM_ALL_BITS, params.first_bits, at == params.begin);
    let of_last = select(ELEM_ALL_BITS, params.last_bits, at + 1u == params.end);
    let own = of_first & of_last;
    return (word & own) | (missing_bits() & ~own);
}

// The word at an index of the input.
fn elem_load(index: u32) -> Elem {
    var word = index;
    if SHIFT == ANY_SHIFT {
        word = byte_of(index) >> 2u;
    }
    return own_bits(word_load(word), index);
}

// The four words from an index on, where they can be loaded at a time.
fn pack_load(index: u32) -> Pack {
    if SHIFT == ANY_SHIFT {
        return Pack(
            elem_load(index),
            elem_load(index + 1u),
            elem_load(index + 2u),
            elem_load(index + 3u),
        );
    }
    let words = vector_at(index >> 2u);
    return Pack(
        own_bits(words.x, index),
        own_bits(words.y, index + 1u),
        own_bits(words.z, index + 2u),
        own_bits(words.w, index + 3u),
    );
}
