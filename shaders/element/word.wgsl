// Elements of one word.
alias Elem = u32;
alias Quad = vec4<Elem>;

const ELEM_ALL_BITS = 0xffffffffu;

fn elem_from_word(word: u32) -> Elem {
    return word;
}

fn elem_to_word(value: Elem) -> u32 {
    return value;
}

// Unsigned, because the magnitude of the smallest i32 is no i32. The magnitude of a float is its bits without the sign, which are in order. Every NaN has one
// magnitude, above all others.
fn elem_magnitude(value: Elem) -> u32 {
    if NUMBERS == FLOATS {
        return select(value & ~F32_SIGN_BIT, F32_CANONICAL_NAN_BITS, f32_is_nan(value));
    }
    return select(value, 0u - value, (NUMBERS == SIGNED) & (value >= 0x80000000u));
}

// -0 is, NaN is not.
fn elem_is_zero(value: Elem) -> bool {
    if NUMBERS == FLOATS {
        return (value & ~F32_SIGN_BIT) == 0u;
    }
    return value == 0u;
}

// No integer is.
fn elem_is_nan(value: Elem) -> bool {
    return (NUMBERS == FLOATS) & f32_is_nan(value);
}

// Elements of whole words are loaded as they are.
@if(pack_quad) alias Pack = Quad;

// A Quad may be a struct, which is copied member by member.
@if(pack_quad) fn pack_copy(pack: Pack) -> Pack {
    return Pack(pack.x, pack.y, pack.z, pack.w);
}

@if(pack_quad) fn quad_unpack(pack: Pack) -> Quad {
    return Quad(pack.x, pack.y, pack.z, pack.w);
}

// Elements of one word.

// From an element to the next one.
@if(load) const INDEX_STEP = 1u;

@if(load) fn word_of(index: u32) -> u32 {
    if SHIFT == ANY_SHIFT {
        return byte_of(index) >> 2u;
    }
    return index;
}

// The element at an index of the input.
@if(load) fn elem_load(index: u32) -> Elem {
    return elem_from_word(word_load(word_of(index)));
}

@if(load) fn pack_of_words(words: vec4<u32>) -> Pack {
    return Pack(
        elem_from_word(words.x),
        elem_from_word(words.y),
        elem_from_word(words.z),
        elem_from_word(words.w),
    );
}

// The four elements from an index on, where they can be loaded at a time.
@if(load) fn pack_load(index: u32) -> Pack {
    if SHIFT == ANY_SHIFT {
        return Pack(
            elem_load(index),
            elem_load(index + 1u),
            elem_load(index + 2u),
            elem_load(index + 3u),
        );
    }
    return pack_of_words(vector_at(index >> 2u));
}

// Words of bits. The first and the last one of a launch may have bits that are not the input's: the operator says what stands for them.

// From a word to the next one.
@if(load_bits) const INDEX_STEP = 1u;

@if(load_bits) fn own_bits(word: u32, index: u32) -> Elem {
    let at = index - params.base;
    let of_first = select(ELEM_ALL_BITS, params.first_bits, at == params.begin);
    let of_last = select(ELEM_ALL_BITS, params.last_bits, at + 1u == params.end);
    let own = of_first & of_last;
    return (word & own) | (missing_bits() & ~own);
}

// The word at an index of the input.
@if(load_bits) fn elem_load(index: u32) -> Elem {
    var word = index;
    if SHIFT == ANY_SHIFT {
        word = byte_of(index) >> 2u;
    }
    return own_bits(word_load(word), index);
}

// The four words from an index on, where they can be loaded at a time.
@if(load_bits) fn pack_load(index: u32) -> Pack {
    if SHIFT == ANY_SHIFT {
        return Pack(
            elem_load(index),
            elem_load(index + 1u),
            elem_load(index + 2u),
            elem_load(index + 3u),
        );
    }
    let words = vector_at(index >> 2u);
    return Pack(
        own_bits(words.x, index),
        own_bits(words.y, index + 1u),
        own_bits(words.z, index + 2u),
        own_bits(words.w, index + 3u),
    );
}
