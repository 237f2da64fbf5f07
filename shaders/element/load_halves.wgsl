// Elements of half a word. SHIFT is 0 where each two of them are a word, and each eight a vector; else it is ANY_SHIFT.

// From an element to the next one.
const INDEX_STEP = 1u;

// The element at an index of the input.
fn elem_load(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(top_load(index))).x;
}

// A word whose higher half it is.
fn top_load(index: u32) -> u32 {
    var half = index;
    if SHIFT == STRIDED {
        half = byte_of(index) >> 1u;
    }
    return word_load(half >> 1u) << (16u - 16u * (half & 1u));
}

// The four elements from an index on.
fn pack_load(index: u32) -> Pack {
    if SHIFT == STRIDED {
        return Pack(
            (top_load(index) >> 16u) | ((top_load(index + 1u) >> 16u) << 16u),
            (top_load(index + 2u) >> 16u) | ((top_load(index + 3u) >> 16u) << 16u),
        );
    }
    let word = index >> 1u;
    let first = word_load(word);
    let second = word_load(word + 1u);
    if SHIFT == 0u {
        return Pack(first, second);
    }
    let bit = 16u * (index & 1u);
    // The same word again, where it has the last one.
    let third = word_load((index + 3u) >> 1u);
    return Pack(words_join(first, second, bit), words_join(second, third, bit));
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
    let word = index >> 1u;
    let low = words_load4(word);
    let high = words_load4(word + 4u);
    if SHIFT == 0u {
        return array<Pack, 4>(low.xy, low.zw, high.xy, high.zw);
    }
    let bit = 16u * (index & 1u);
    let last = word_load((index + 15u) >> 1u);
    return array<Pack, 4>(
        Pack(words_join(low.x, low.y, bit), words_join(low.y, low.z, bit)),
        Pack(words_join(low.z, low.w, bit), words_join(low.w, high.x, bit)),
        Pack(words_join(high.x, high.y, bit), words_join(high.y, high.z, bit)),
        Pack(words_join(high.z, high.w, bit), words_join(high.w, last, bit)),
    );
}
