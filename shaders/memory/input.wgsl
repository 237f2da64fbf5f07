// The input, bound twice: as vectors for the body, and as words for the edges. (A vector binding
// rounds its length down to 16 bytes and can't be shorter than that.)

@if(own) @group(0) @binding(1) var<storage, read> input_vectors: array<vec4<u32>>;
@if(own) @group(0) @binding(2) var<storage, read> input_words: array<u32>;

@if(own) fn word_load(index: u32) -> u32 {
    return input_words[index];
}

@if(own) fn vector_at(index: u32) -> vec4<u32> {
    return input_vectors[index];
}

// The input, bound as words alone, by kernels that bind much else.

@if(as_words) @group(0) @binding(2) var<storage, read> input_words: array<u32>;

@if(as_words) fn word_load(index: u32) -> u32 {
    return input_words[index];
}

// The input of a scan. One dispatch may not bind a buffer to read and to write: where it writes over its input, it reads that
// through the output's binding.

@if(or_output) @group(0) @binding(1) var<storage, read> input_vectors: array<vec4<u32>>;
@if(or_output) @group(0) @binding(2) var<storage, read> input_words: array<u32>;

@if(or_output) override IN_PLACE: bool = false;

@if(or_output) fn word_load(index: u32) -> u32 {
    if IN_PLACE {
        return output_word(index);
    }
    return input_words[index];
}

@if(or_output) fn vector_at(index: u32) -> vec4<u32> {
    if IN_PLACE {
        return output_vector(index);
    }
    return input_vectors[index];
}

// Two inputs, as words.

@if(pairs) @group(0) @binding(2) var<storage, read> left_words: array<u32>;
@if(pairs) @group(0) @binding(6) var<storage, read> right_words: array<u32>;

// STRIDED, if the elements of an input do not follow one another: then both are loaded one by one, from these bytes on.
@if(pairs) override SHIFT: u32 = 0u;
@if(pairs) const STRIDED = 5u;

@if(pairs) fn left_byte_of(index: u32) -> u32 {
    return params.head_bytes + index * params.stride_bytes;
}

@if(pairs) fn right_byte_of(index: u32) -> u32 {
    return params.right_head_bytes + index * params.right_stride_bytes;
}
