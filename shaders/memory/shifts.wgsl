// Where in vectors the input begins.

// The remainder mod 4 of the word index at which vectors begin. A pipeline constant, so that aligned inputs pay nothing
// for the others. Where compiling four pipelines costs more than that, it is ANY_SHIFT, and each index tells.
override SHIFT: u32 = 0u;
const ANY_SHIFT = 4u;
// Elements do not follow one another: each is loaded alone, from where `byte_of` says.
const STRIDED = 5u;

fn byte_of(index: u32) -> u32 {
    return params.head_bytes + index * params.stride_bytes;
}

// The four words from `index` on, which are in a vector, or in it and the next one.
fn words_from(low: vec4<u32>, next: vec4<u32>, index: u32) -> vec4<u32> {
    let is_late = (index & 2u) != 0u;
    let first = select(low, vec4<u32>(low.z, low.w, next.x, next.y), is_late);
    let last = select(next.x, next.z, is_late);
    return select(first, vec4<u32>(first.y, first.z, first.w, last), (index & 1u) != 0u);
}

// The four words from `index` on, where index % 4 == SHIFT.
fn words_load4(index: u32) -> vec4<u32> {
    let low = vector_at(index >> 2u);
    if SHIFT == 0u {
        return low;
    }
    if SHIFT == ANY_SHIFT {
        // The same vector again, where one has all four.
        return words_from(low, vector_at((index + 3u) >> 2u), index);
    }
    let high = vector_at((index >> 2u) + 1u);
    if SHIFT == 1u {
        return vec4<u32>(low.y, low.z, low.w, high.x);
    }
    if SHIFT == 2u {
        return vec4<u32>(low.z, low.w, high.x, high.y);
    }
    return vec4<u32>(low.w, high.x, high.y, high.z);
}
