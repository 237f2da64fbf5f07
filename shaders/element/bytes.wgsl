// Elements are flags: a byte that has any bit is 1.
override ARE_FLAGS: bool = false;

// The highest byte of each word, widened.
fn elems_of_tops(tops: vec4<u32>) -> Quad {
    if NUMBERS == SIGNED {
        return bitcast<vec4<u32>>(bitcast<vec4<i32>>(tops) >> vec4<u32>(24u));
    }
    let bytes = tops >> vec4<u32>(24u);
    return select(bytes, min(bytes, vec4<u32>(1u)), ARE_FLAGS);
}

// Elements of a byte. SHIFT is 0 where each four of them are a word, and each sixteen a vector; else it is ANY_SHIFT.

// From an element to the next one.
@if(load) const INDEX_STEP = 1u;

// The element at an index of the input.
@if(load) fn elem_load(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(top_load(index))).x;
}

// A word whose highest byte it is.
@if(load) fn top_load(index: u32) -> u32 {
    var byte = index;
    if SHIFT == STRIDED {
        byte = byte_of(index);
    }
    return word_load(byte >> 2u) << (24u - 8u * (byte & 3u));
}

// The four elements from an index on.
@if(load) fn pack_load(index: u32) -> Pack {
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
@if(load) fn packs_load(index: u32) -> array<Pack, 4> {
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

// Four elements of a byte are a word: they stay packed until they are lifted.
@if(pack) alias Pack = u32;

@if(pack) fn pack_copy(pack: Pack) -> Pack {
    return pack;
}

@if(pack) fn quad_unpack(pack: Pack) -> Quad {
    return elems_of_tops(vec4<u32>(pack << 24u, pack << 16u, pack << 8u, pack));
}
