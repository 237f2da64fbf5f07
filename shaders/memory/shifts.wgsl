// Where in vectors the input begins.

// 0: each group of four elements begins with a vector. A pipeline constant, so that these pay nothing for the others.
// 2: elements of two words, of which each group begins in the middle of a vector.
// ANY_SHIFT: elements lie anywhere, and need not follow one another.
// STRIDED: elements of less than a word that do not.
override SHIFT: u32 = 0u;
const ANY_SHIFT = 4u;
const STRIDED = 5u;

// Whether elements of several words do not follow one another.
fn is_strided() -> bool {
    return (SHIFT == ANY_SHIFT) & (params.stride_bytes != 0u);
}

// Where an element is. Elements of one word are found so wherever they lie: that takes no longer than a look whether they follow one another.
fn byte_of(index: u32) -> u32 {
    return params.head_bytes + index * params.stride_bytes;
}

// The four words from `index` on, one by one where they do not begin a vector: a pipeline for each place in one would have to join two.
fn words_load4(index: u32) -> vec4<u32> {
    if SHIFT == 0u {
        return vector_at(index >> 2u);
    }
    return vec4<u32>(word_load(index), word_load(index + 1u), word_load(index + 2u), word_load(index + 3u));
}

// The four words from `index` on, which are in a vector, or in it and the next one.
@if(words_from) fn words_from(low: vec4<u32>, next: vec4<u32>, index: u32) -> vec4<u32> {
    let is_late = (index & 2u) != 0u;
    let first = select(low, vec4<u32>(low.z, low.w, next.x, next.y), is_late);
    let last = select(next.x, next.z, is_late);
    return select(first, vec4<u32>(first.y, first.z, first.w, last), (index & 1u) != 0u);
}
