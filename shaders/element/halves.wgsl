// Floats are bf16s: the higher halves of f32s.
override ARE_BF16: bool = false;

// The higher half of each word, widened.
fn elems_of_tops(tops: vec4<u32>) -> Quad {
    if NUMBERS == SIGNED {
        return bitcast<vec4<u32>>(bitcast<vec4<i32>>(tops) >> vec4<u32>(16u));
    }
    if NUMBERS == UNSIGNED {
        return tops >> vec4<u32>(16u);
    }
    if ARE_BF16 {
        return tops & vec4<u32>(0xffff0000u);
    }
    return f32s_of_f16s(tops);
}

// f16s in the higher halves as f32s of the same values: in integers, as a device may flush subnormal ones, and change NaNs.
fn f32s_of_f16s(tops: vec4<u32>) -> vec4<u32> {
    // Exponent and fraction, where an f32 has them.
    let magnitudes = (tops >> vec4<u32>(3u)) & vec4<u32>(0x0fffe000u);
    // Biases are 15 and 127; infinities and NaNs have the largest exponent of either.
    let is_finite = magnitudes < vec4<u32>(0x0f800000u);
    let normal = magnitudes + select(vec4<u32>(0x70000000u), vec4<u32>(0x38000000u), is_finite);
    // A subnormal one is a whole number of 2^-24: its leading bit is hidden.
    let numbers = magnitudes >> vec4<u32>(13u);
    let leading = firstLeadingBit(numbers | vec4<u32>(1u));
    let fractions = (numbers << (vec4<u32>(23u) - leading)) & vec4<u32>(0x007fffffu);
    let subnormal = ((leading + vec4<u32>(103u)) << vec4<u32>(23u)) | fractions;
    let has_exponent = magnitudes >= vec4<u32>(0x00800000u);
    let widened = select(subnormal, normal, has_exponent);
    let is_zero = magnitudes == vec4<u32>(0u);
    return select(widened, vec4<u32>(0u), is_zero) | (tops & vec4<u32>(0x80000000u));
}

// Elements of half a word. SHIFT is 0 where each two of them are a word, and each eight a vector; else it is ANY_SHIFT.

// From an element to the next one.
@if(load) const INDEX_STEP = 1u;

// The element at an index of the input.
@if(load) fn elem_load(index: u32) -> Elem {
    return elems_of_tops(vec4<u32>(top_load(index))).x;
}

// A word whose higher half it is.
@if(load) fn top_load(index: u32) -> u32 {
    var half = index;
    if SHIFT == STRIDED {
        half = byte_of(index) >> 1u;
    }
    return word_load(half >> 1u) << (16u - 16u * (half & 1u));
}

// The four elements from an index on.
@if(load) fn pack_load(index: u32) -> Pack {
    if SHIFT == STRIDED {
        return Pack(
            (top_load(index) >> 16u) | ((top_load(index + 1u) >> 16u) << 16u),
            (top_load(index + 2u) >> 16u) | ((top_load(index + 3u) >> 16u) << 16u),
        );
    }
    let word = index >> 1u;
    let first = word_load(word);
    let second = word_load(word + 1u);
    if SHIFT == 0u {
        return Pack(first, second);
    }
    let bit = 16u * (index & 1u);
    // The same word again, where it has the last one.
    let third = word_load((index + 3u) >> 1u);
    return Pack(words_join(first, second, bit), words_join(second, third, bit));
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
    let word = index >> 1u;
    let low = words_load4(word);
    let high = words_load4(word + 4u);
    if SHIFT == 0u {
        return array<Pack, 4>(low.xy, low.zw, high.xy, high.zw);
    }
    let bit = 16u * (index & 1u);
    let last = word_load((index + 15u) >> 1u);
    return array<Pack, 4>(
        Pack(words_join(low.x, low.y, bit), words_join(low.y, low.z, bit)),
        Pack(words_join(low.z, low.w, bit), words_join(low.w, high.x, bit)),
        Pack(words_join(high.x, high.y, bit), words_join(high.y, high.z, bit)),
        Pack(words_join(high.z, high.w, bit), words_join(high.w, last, bit)),
    );
}

// Four elements of half a word are two words: they stay packed until they are lifted.
@if(pack) alias Pack = vec2<u32>;

@if(pack) fn pack_copy(pack: Pack) -> Pack {
    return pack;
}

@if(pack) fn quad_unpack(pack: Pack) -> Quad {
    return elems_of_tops(vec4<u32>(pack.x << 16u, pack.x, pack.y << 16u, pack.y));
}
