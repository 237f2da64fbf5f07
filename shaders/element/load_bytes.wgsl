// Elements of a byte. SHIFT is 0 where each four of them are a word, and each sixteen a vector; else it is ANY_SHIFT.

// From an element to the next one.
const INDEX_STEP = 1u;

// The element at an index of the input.
fn elem_load(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(top_load(index))).x;
}

// A word whose highest byte it is.
fn top_load(index: u32) -> u32 {
    var byte = index;
    if SHIFT == STRIDED {
        byte = byte_of(index);
    }
    return word_load(byte >> 2u) << (24u - 8u * (byte & 3u));
}

// The four elements from an index on.
fn pack_load(index: u32) -> Pack {
    if SHIFT == STRIDED {
        let low = (top_load(index) >> 24u) | ((top_load(index + 1u) >> 24u) << 8u);
        return low | ((top_load(index + 2u) >> 24u) << 16u) | ((top_load(index + 3u) >> 24u) << 24u);
    }
    let low = word_load(index >> 2u);
    if SHIFT == 0u {
        return low;
    }
    // The same word again, where it has all four.
    return words_join(low, word_load((index + 3u) >> 2u), 8u * (index & 3u));
}

// The sixteen elements from an index on, where words can be loaded four at a time.
fn packs_load(index: u32) -> array<Pack, 4> {
    if SHIFT == STRIDED {
        return array<Pack, 4>(
            pack_load(index),
            pack_load(index + 4u),
            pack_load(index + 8u),
            pack_load(index + 12u),
        );
    }
    let words = words_load4(index >> 2u);
    if SHIFT == 0u {
        return array<Pack, 4>(words.x, words.y, words.z, words.w);
    }
    let last = word_load((index + 15u) >> 2u);
    let bit = 8u * (index & 3u);
    return array<Pack, 4>(
        words_join(words.x, words.y, bit),
        words_join(words.y, words.z, bit),
        words_join(words.z, words.w, bit),
        words_join(words.w, last, bit),
    );
}
