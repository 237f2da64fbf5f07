// The input, bound twice: as vectors for the body, and as words for the edges. (A vector binding
// rounds its length down to 16 bytes and can't be shorter than that.)

@group(0) @binding(1) var<storage, read> input_vectors: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> input_words: array<u32>;

// The remainder mod 4 of the word index at which a group of four elements begins. A pipeline
// constant, so that aligned inputs pay nothing for the others.
override SHIFT: u32 = 0u;

fn load(index: u32) -> Elem {
    return elem_from_word(input_words[index]);
}

// The four elements from `index` on, where index % 4 == SHIFT.
fn load4(index: u32) -> vec4<Elem> {
    let low = input_vectors[index >> 2u];
    var words = low;
    if SHIFT != 0u {
        let high = input_vectors[(index >> 2u) + 1u];
        if SHIFT == 1u {
            words = vec4<u32>(low.y, low.z, low.w, high.x);
        } else if SHIFT == 2u {
            words = vec4<u32>(low.z, low.w, high.x, high.y);
        } else {
            words = vec4<u32>(low.w, high.x, high.y, high.z);
        }
    }
    return vec4<Elem>(
        elem_from_word(words.x),
        elem_from_word(words.y),
        elem_from_word(words.z),
        elem_from_word(words.w),
    );
}
