// The input, bound twice: as vectors for the body, and as words for the edges. (A vector binding
// rounds its length down to 16 bytes and can't be shorter than that.)

@group(0) @binding(1) var<storage, read> input_vectors: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> input_words: array<u32>;

// The remainder mod 4 of the word index at which vectors begin. A pipeline constant, so that aligned inputs pay nothing
// for the others.
override SHIFT: u32 = 0u;

fn word_load(index: u32) -> u32 {
    return input_words[index];
}

// The four words from `index` on, where index % 4 == SHIFT.
fn words_load4(index: u32) -> vec4<u32> {
    let low = input_vectors[index >> 2u];
    if SHIFT == 0u {
        return low;
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
