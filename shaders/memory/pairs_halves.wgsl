// Elements of half a word of two inputs.

// From an element to the next one.
const INDEX_STEP = 1u;

fn left_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(left_top(index))).x;
}

fn right_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(right_top(index))).x;
}

// A word whose higher half the element is.
fn left_top(index: u32) -> u32 {
    var half = index;
    if SHIFT == STRIDED {
        half = left_byte_of(index) >> 1u;
    }
    return left_words[half >> 1u] << (16u - 16u * (half & 1u));
}

fn right_top(index: u32) -> u32 {
    var half = index;
    if SHIFT == STRIDED {
        half = right_byte_of(index) >> 1u;
    }
    return right_words[half >> 1u] << (16u - 16u * (half & 1u));
}

// The four elements from an index on.
fn left_pack(index: u32) -> Pack {
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

fn right_pack(index: u32) -> Pack {
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

fn pack_of_halves(first: u32, second: u32, third: u32, index: u32) -> Pack {
    let bit = 16u * (index & 1u);
    return Pack(words_join(first, second, bit), words_join(second, third, bit));
}
