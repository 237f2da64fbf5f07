// Two inputs, as words.

@group(0) @binding(2) var<storage, read> left_words: array<u32>;
@group(0) @binding(6) var<storage, read> right_words: array<u32>;

// STRIDED, if the elements of an input do not follow one another: then both are loaded one by one, from these bytes on.
override SHIFT: u32 = 0u;
const STRIDED = 5u;

fn left_byte_of(index: u32) -> u32 {
    return params.head_bytes + index * params.stride_bytes;
}

fn right_byte_of(index: u32) -> u32 {
    return params.right_head_bytes + index * params.right_stride_bytes;
}
