// Elements of one word of two inputs.

// From an element to the next one.
@if(words) const INDEX_STEP = 1u;

@if(words) fn left_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        return elem_from_word(left_words[left_byte_of(index) >> 2u]);
    }
    return elem_from_word(left_words[index]);
}

@if(words) fn right_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        return elem_from_word(right_words[right_byte_of(index) >> 2u]);
    }
    return elem_from_word(right_words[index]);
}

// The four elements from an index on.
@if(words) fn left_pack(index: u32) -> Pack {
    return Pack(
        left_elem(index),
        left_elem(index + 1u),
        left_elem(index + 2u),
        left_elem(index + 3u),
    );
}

@if(words) fn right_pack(index: u32) -> Pack {
    return Pack(
        right_elem(index),
        right_elem(index + 1u),
        right_elem(index + 2u),
        right_elem(index + 3u),
    );
}

// Elements of a byte of two inputs.

// From an element to the next one.
@if(bytes) const INDEX_STEP = 1u;

@if(bytes) fn left_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(left_top(index))).x;
}

@if(bytes) fn right_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(right_top(index))).x;
}

// A word whose highest byte the element is.
@if(bytes) fn left_top(index: u32) -> u32 {
    var byte = index;
    if SHIFT == STRIDED {
        byte = left_byte_of(index);
    }
    return left_words[byte >> 2u] << (24u - 8u * (byte & 3u));
}

@if(bytes) fn right_top(index: u32) -> u32 {
    var byte = index;
    if SHIFT == STRIDED {
        byte = right_byte_of(index);
    }
    return right_words[byte >> 2u] << (24u - 8u * (byte & 3u));
}

// The four elements from an index on.
@if(bytes) fn left_pack(index: u32) -> Pack {
    if SHIFT == STRIDED {
        let tops = vec4<u32>(
            left_top(index),
            left_top(index + 1u),
            left_top(index + 2u),
            left_top(index + 3u),
        );
        return pack_of_tops(tops);
    }
    return words_join(left_words[index >> 2u], left_words[(index + 3u) >> 2u], 8u * (index & 3u));
}

@if(bytes) fn right_pack(index: u32) -> Pack {
    if SHIFT == STRIDED {
        let tops = vec4<u32>(
            right_top(index),
            right_top(index + 1u),
            right_top(index + 2u),
            right_top(index + 3u),
        );
        return pack_of_tops(tops);
    }
    return words_join(right_words[index >> 2u], right_words[(index + 3u) >> 2u], 8u * (index & 3u));
}

@if(bytes) fn pack_of_tops(tops: vec4<u32>) -> Pack {
    let bytes = tops >> vec4<u32>(24u);
    return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}

// Elements of half a word of two inputs.

// From an element to the next one.
@if(halves) const INDEX_STEP = 1u;

@if(halves) fn left_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(left_top(index))).x;
}

@if(halves) fn right_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(right_top(index))).x;
}

// A word whose higher half the element is.
@if(halves) fn left_top(index: u32) -> u32 {
    var half = index;
    if SHIFT == STRIDED {
        half = left_byte_of(index) >> 1u;
    }
    return left_words[half >> 1u] << (16u - 16u * (half & 1u));
}

@if(halves) fn right_top(index: u32) -> u32 {
    var half = index;
    if SHIFT == STRIDED {
        half = right_byte_of(index) >> 1u;
    }
    return right_words[half >> 1u] << (16u - 16u * (half & 1u));
}

// The four elements from an index on.
@if(halves) fn left_pack(index: u32) -> Pack {
    if SHIFT == STRIDED {
        return Pack(
            (left_top(index) >> 16u) | (left_top(index + 1u) & 0xffff0000u),
            (left_top(index + 2u) >> 16u) | (left_top(index + 3u) & 0xffff0000u),
        );
    }
    let word = index >> 1u;
    let last = left_words[(index + 3u) >> 1u];
    return pack_of_halves(left_words[word], left_words[word + 1u], last, index);
}

@if(halves) fn right_pack(index: u32) -> Pack {
    if SHIFT == STRIDED {
        return Pack(
            (right_top(index) >> 16u) | (right_top(index + 1u) & 0xffff0000u),
            (right_top(index + 2u) >> 16u) | (right_top(index + 3u) & 0xffff0000u),
        );
    }
    let word = index >> 1u;
    let last = right_words[(index + 3u) >> 1u];
    return pack_of_halves(right_words[word], right_words[word + 1u], last, index);
}

@if(halves) fn pack_of_halves(first: u32, second: u32, third: u32, index: u32) -> Pack {
    let bit = 16u * (index & 1u);
    return Pack(words_join(first, second, bit), words_join(second, third, bit));
}

// Elements of two words of two inputs. Each input may begin at an odd word: an index is that of a word.

// From an element to the next one.
@if(two_words) const INDEX_STEP = 2u;

@if(two_words) fn left_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        let word = left_byte_of(index / INDEX_STEP) >> 2u;
        return Elem(left_words[word], left_words[word + 1u]);
    }
    return Elem(left_words[index], left_words[index + 1u]);
}

@if(two_words) fn right_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        let word = right_byte_of(index / INDEX_STEP) >> 2u;
        return Elem(right_words[word], right_words[word + 1u]);
    }
    return Elem(right_words[index], right_words[index + 1u]);
}

// The four elements from an index on.
@if(two_words) fn left_pack(index: u32) -> Pack {
    return Pack(
        left_elem(index),
        left_elem(index + 2u),
        left_elem(index + 4u),
        left_elem(index + 6u),
    );
}

@if(two_words) fn right_pack(index: u32) -> Pack {
    return Pack(
        right_elem(index),
        right_elem(index + 2u),
        right_elem(index + 4u),
        right_elem(index + 6u),
    );
}
