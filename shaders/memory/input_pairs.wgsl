// Two inputs, as words.

@group(0) @binding(2) var<storage, read> left_words: array<u32>;
@group(0) @binding(6) var<storage, read> right_words: array<u32>;
