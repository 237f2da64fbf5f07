// Elements of a byte of a third input, as memory/pairs_bytes.wgsl has those of two.

fn third_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(third_top(index))).x;
}

fn third_top(index: u32) -> u32 {
    var byte = index;
    if SHIFT == STRIDED {
        byte = third_byte_of(index);
    }
    return third_words[byte >> 2u] << (24u - 8u * (byte & 3u));
}

fn third_pack(index: u32) -> Pack {
    if SHIFT == STRIDED {
        let tops = vec4<u32>(
            third_top(index),
            third_top(index + 1u),
            third_top(index + 2u),
            third_top(index + 3u),
        );
        return pack_of_tops(tops);
    }
    return words_join(third_words[index >> 2u], third_words[(index + 3u) >> 2u], 8u * (index & 3u));
}
