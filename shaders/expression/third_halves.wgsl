// Elements of half a word of a third input, as memory/pairs_halves.wgsl has those of two.

fn third_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(third_top(index))).x;
}

fn third_top(index: u32) -> u32 {
    var half = index;
    if SHIFT == STRIDED {
        half = third_byte_of(index) >> 1u;
    }
    return third_words[half >> 1u] << (16u - 16u * (half & 1u));
}

fn third_pack(index: u32) -> Pack {
    if SHIFT == STRIDED {
        return Pack(
            (third_top(index) >> 16u) | (third_top(index + 1u) & 0xffff0000u),
            (third_top(index + 2u) >> 16u) | (third_top(index + 3u) & 0xffff0000u),
        );
    }
    let word = index >> 1u;
    let last = third_words[(index + 3u) >> 1u];
    return pack_of_halves(third_words[word], third_words[word + 1u], last, index);
}
