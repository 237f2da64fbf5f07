// Four elements of several components.
struct Quad {
    x: Elem,
    y: Elem,
    z: Elem,
    w: Elem,
}

// Elements of several components, which need not begin where so many elements would end: an index is that of the first word. SHIFT
// is 0 where every four elements are whole vectors, else it is ANY_SHIFT.
@if(load) const INDEX_STEP = COMPONENTS;

// The word that an element begins at.
@if(load) fn first_word(index: u32) -> u32 {
    if is_strided() {
        return byte_of(index / COMPONENTS) >> 2u;
    }
    return index;
}

// Four elements that do not follow one another.
@if(load) fn pack_gather(index: u32) -> Pack {
    return Pack(
        elem_load(index),
        elem_load(index + COMPONENTS),
        elem_load(index + 2u * COMPONENTS),
        elem_load(index + 3u * COMPONENTS),
    );
}

// An element of 2 words, its components: integers, or the bits of floats, as in numbers.wgsl@f32.
@if(of_2) alias Elem = vec2<u32>;

@if(of_2) const COMPONENTS = 2u;

@if(of_2) fn elem_of_words(words: array<u32, COMPONENTS>) -> Elem {
    return Elem(words[0], words[1]);
}

@if(of_2) fn elem_words(value: Elem) -> array<u32, COMPONENTS> {
    return array<u32, COMPONENTS>(value.x, value.y);
}

// The element at an index of the input.
@if(load_2) fn elem_load(index: u32) -> Elem {
    let word = first_word(index);
    return Elem(word_load(word), word_load(word + 1u));
}

// The four elements from an index on, where words can be loaded four at a time.
@if(load_2) fn pack_load(index: u32) -> Pack {
    if SHIFT == ANY_SHIFT {
        return pack_gather(index);
    }
    let low = vector_at(index >> 2u);
    let high = vector_at((index >> 2u) + 1u);
    return Pack(low.xy, low.zw, high.xy, high.zw);
}

// An element of 3 words, its components: integers, or the bits of floats, as in numbers.wgsl@f32.
@if(of_3) alias Elem = vec3<u32>;

@if(of_3) const COMPONENTS = 3u;

@if(of_3) fn elem_of_words(words: array<u32, COMPONENTS>) -> Elem {
    return Elem(words[0], words[1], words[2]);
}

@if(of_3) fn elem_words(value: Elem) -> array<u32, COMPONENTS> {
    return array<u32, COMPONENTS>(value.x, value.y, value.z);
}

// The element at an index of the input.
@if(load_3) fn elem_load(index: u32) -> Elem {
    let word = first_word(index);
    return Elem(word_load(word), word_load(word + 1u), word_load(word + 2u));
}

// The four elements from an index on, where words can be loaded four at a time.
@if(load_3) fn pack_load(index: u32) -> Pack {
    if SHIFT == ANY_SHIFT {
        return pack_gather(index);
    }
    let first = vector_at(index >> 2u);
    let second = vector_at((index >> 2u) + 1u);
    let third = vector_at((index >> 2u) + 2u);
    return Pack(
        first.xyz,
        Elem(first.w, second.xy),
        Elem(second.zw, third.x),
        third.yzw,
    );
}

// An element of 4 words, its components: integers, or the bits of floats, as in numbers.wgsl@f32.
@if(of_4) alias Elem = vec4<u32>;

@if(of_4) const COMPONENTS = 4u;

@if(of_4) fn elem_of_words(words: array<u32, COMPONENTS>) -> Elem {
    return Elem(words[0], words[1], words[2], words[3]);
}

@if(of_4) fn elem_words(value: Elem) -> array<u32, COMPONENTS> {
    return array<u32, COMPONENTS>(value.x, value.y, value.z, value.w);
}

// The element at an index of the input.
@if(load_4) fn elem_load(index: u32) -> Elem {
    let word = first_word(index);
    return Elem(word_load(word), word_load(word + 1u), word_load(word + 2u), word_load(word + 3u));
}

// The four elements from an index on, where words can be loaded four at a time.
@if(load_4) fn pack_load(index: u32) -> Pack {
    if SHIFT == ANY_SHIFT {
        return pack_gather(index);
    }
    return Pack(
        vector_at(index >> 2u),
        vector_at((index >> 2u) + 1u),
        vector_at((index >> 2u) + 2u),
        vector_at((index >> 2u) + 3u),
    );
}
