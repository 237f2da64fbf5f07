// Elements of a byte of two inputs.

// From an element to the next one.
const INDEX_STEP = 1u;

fn left_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(left_top(index))).x;
}

fn right_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(right_top(index))).x;
}

// A word whose highest byte the element is.
fn left_top(index: u32) -> u32 {
    var byte = index;
    if SHIFT == STRIDED {
        byte = left_byte_of(index);
    }
    return left_words[byte >> 2u] << (24u - 8u * (byte & 3u));
}

fn right_top(index: u32) -> u32 {
    var byte = index;
    if SHIFT == STRIDED {
        byte = right_byte_of(index);
    }
    return right_words[byte >> 2u] << (24u - 8u * (byte & 3u));
}

// The four elements from an index on.
fn left_pack(index: u32) -> Pack {
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

fn right_pack(index: u32) -> Pack {
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

fn pack_of_tops(tops: vec4<u32>) -> Pack {
    let bytes = tops >> vec4<u32>(24u);
    return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}
