// Elements of two words of two inputs. Each input may begin at an odd word: an index is that of a word.

// From an element to the next one.
const INDEX_STEP = 2u;

fn left_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        let word = left_byte_of(index / INDEX_STEP) >> 2u;
        return Elem(left_words[word], left_words[word + 1u]);
    }
    return Elem(left_words[index], left_words[index + 1u]);
}

fn right_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        let word = right_byte_of(index / INDEX_STEP) >> 2u;
        return Elem(right_words[word], right_words[word + 1u]);
    }
    return Elem(right_words[index], right_words[index + 1u]);
}

// The four elements from an index on.
fn left_pack(index: u32) -> Pack {
    return Pack(
        left_elem(index),
        left_elem(index + 2u),
        left_elem(index + 4u),
        left_elem(index + 6u),
    );
}

fn right_pack(index: u32) -> Pack {
    return Pack(
        right_elem(index),
        right_elem(index + 2u),
        right_elem(index + 4u),
        right_elem(index + 6u),
    );
}
