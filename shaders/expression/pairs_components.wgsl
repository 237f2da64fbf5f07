// Elements of several components of two inputs, as load.wgsl@components has them of one.

// From an element to the next one: an index is that of a word.
const INDEX_STEP = COMPONENTS;

fn left_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        return elem_from_word(left_byte_of(index / COMPONENTS) >> 2u);
    }
    return elem_from_word(index);
}

fn right_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        return elem_from_word(right_byte_of(index / COMPONENTS) >> 2u);
    }
    return elem_from_word(index);
}

// The four elements from an index on.
fn left_pack(index: u32) -> Pack {
    return Pack(
        left_elem(index),
        left_elem(index + COMPONENTS),
        left_elem(index + 2u * COMPONENTS),
        left_elem(index + 3u * COMPONENTS),
    );
}

fn right_pack(index: u32) -> Pack {
    return Pack(
        right_elem(index),
        right_elem(index + COMPONENTS),
        right_elem(index + 2u * COMPONENTS),
        right_elem(index + 3u * COMPONENTS),
    );
}

// Components of the elements that begin at a word.
fn x_component(word: u32, component: u32) -> u32 {
    return left_words[word + component];
}

fn y_component(word: u32, component: u32) -> u32 {
    return right_words[word + component];
}
