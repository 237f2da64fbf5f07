// The input, bound twice: as vectors for the body, and as words for the edges. (A vector binding
// rounds its length down to 16 bytes and can't be shorter than that.)

@group(0) @binding(1) var<storage, read> input_vectors: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> input_words: array<u32>;

// The remainder mod 4 of the word index at which vectors begin. A pipeline constant, so that aligned inputs pay nothing
// for the others. Where compiling four pipelines costs more than that, it is ANY_SHIFT, and each index tells.
override SHIFT: u32 = 0u;
const ANY_SHIFT = 4u;

fn word_load(index: u32) -> u32 {
    return input_words[index];
}

// The four words from `index` on, where index % 4 == SHIFT.
fn words_load4(index: u32) -> vec4<u32> {
    let low = input_vectors[index >> 2u];
    if SHIFT == 0u {
        return low;
    }
    if SHIFT == ANY_SHIFT {
        // The same vector again, where one has all four.
        let next = input_vectors[(index + 3u) >> 2u];
        let is_late = (index & 2u) != 0u;
        let first = select(low, vec4<u32>(low.z, low.w, next.x, next.y), is_late);
        let last = select(next.x, next.z, is_late);
        return select(first, vec4<u32>(first.y, first.z, first.w, last), (index & 1u) != 0u);
    }
    let high = input_vectors[(index >> 2u) + 1u];
    if SHIFT == 1u {
        return vec4<u32>(low.y, low.z, low.w, high.x);
    }
    if SHIFT == 2u {
        return vec4<u32>(low.z, low.w, high.x, high.y);
    }
    return vec4<u32>(low.w, high.x, high.y, high.z);
}
