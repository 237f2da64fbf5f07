// Elements of one word of two inputs.

// From an element to the next one.
const INDEX_STEP = 1u;

fn left_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        return elem_from_word(left_words[left_byte_of(index) >> 2u]);
    }
    return elem_from_word(left_words[index]);
}

fn right_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        return elem_from_word(right_words[right_byte_of(index) >> 2u]);
    }
    return elem_from_word(right_words[index]);
}

// The four elements from an index on.
fn left_pack(index: u32) -> Pack {
    return Pack(
        left_elem(index),
        left_elem(index + 1u),
        left_elem(index + 2u),
        left_elem(index + 3u),
    );
}

fn right_pack(index: u32) -> Pack {
    return Pack(
        right_elem(index),
        right_elem(index + 1u),
        right_elem(index + 2u),
        right_elem(index + 3u),
    );
}
