// The third of three inputs, as words. The others are section pairs of memory/input.wgsl.

@group(0) @binding(9) var<storage, read> third_words: array<u32>;

// Where inputs are strided.
fn third_byte_of(index: u32) -> u32 {
    return params.third_base + index * params.third_stride_bytes;
}

// Elements of one word of a third input, as memory/pairs.wgsl has those of two.

@if(words) fn third_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        return elem_from_word(third_words[third_byte_of(index) >> 2u]);
    }
    return elem_from_word(third_words[index]);
}

@if(words) fn third_pack(index: u32) -> Pack {
    return Pack(
        third_elem(index),
        third_elem(index + 1u),
        third_elem(index + 2u),
        third_elem(index + 3u),
    );
}

// Elements of two words of a third input, as memory/pairs.wgsl has those of two.

@if(two_words) fn third_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        let word = third_byte_of(index / INDEX_STEP) >> 2u;
        return Elem(third_words[word], third_words[word + 1u]);
    }
    return Elem(third_words[index], third_words[index + 1u]);
}

@if(two_words) fn third_pack(index: u32) -> Pack {
    return Pack(
        third_elem(index),
        third_elem(index + 2u),
        third_elem(index + 4u),
        third_elem(index + 6u),
    );
}

// Elements of a byte of a third input, as memory/pairs.wgsl has those of two.

@if(bytes) fn third_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(third_top(index))).x;
}

@if(bytes) fn third_top(index: u32) -> u32 {
    var byte = index;
    if SHIFT == STRIDED {
        byte = third_byte_of(index);
    }
    return third_words[byte >> 2u] << (24u - 8u * (byte & 3u));
}

@if(bytes) fn third_pack(index: u32) -> Pack {
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

// Elements of half a word of a third input, as memory/pairs.wgsl has those of two.

@if(halves) fn third_elem(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(third_top(index))).x;
}

@if(halves) fn third_top(index: u32) -> u32 {
    var half = index;
    if SHIFT == STRIDED {
        half = third_byte_of(index) >> 1u;
    }
    return third_words[half >> 1u] << (16u - 16u * (half & 1u));
}

@if(halves) fn third_pack(index: u32) -> Pack {
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

// Elements of several components of a third input, as pairs_components.wgsl has those of two.

@if(components) fn third_elem(index: u32) -> Elem {
    if SHIFT == STRIDED {
        return elem_from_word(third_byte_of(index / COMPONENTS) >> 2u);
    }
    return elem_from_word(index);
}

@if(components) fn third_pack(index: u32) -> Pack {
    return Pack(
        third_elem(index),
        third_elem(index + COMPONENTS),
        third_elem(index + 2u * COMPONENTS),
        third_elem(index + 3u * COMPONENTS),
    );
}

@if(components) fn z_component(word: u32, component: u32) -> u32 {
    return third_words[word + component];
}
