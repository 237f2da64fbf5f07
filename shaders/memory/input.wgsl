// The input, bound twice: as vectors for the body, and as words for the edges. (A vector binding
// rounds its length down to 16 bytes and can't be shorter than that.)

@group(0) @binding(1) var<storage, read> input_vectors: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> input_words: array<u32>;

fn word_load(index: u32) -> u32 {
    return input_words[index];
}

fn vector_at(index: u32) -> vec4<u32> {
    return input_vectors[index];
}
