// The input of a scan. One dispatch may not bind a buffer to read and to write: where it writes over its input, it reads that
// through the output's binding.

@group(0) @binding(1) var<storage, read> input_vectors: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> input_words: array<u32>;

override IN_PLACE: bool = false;

fn word_load(index: u32) -> u32 {
    if IN_PLACE {
        return output_word(index);
    }
    return input_words[index];
}

fn vector_at(index: u32) -> vec4<u32> {
    if IN_PLACE {
        return output_vector(index);
    }
    return input_vectors[index];
}
