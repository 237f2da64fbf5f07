// The input, bound as words alone, by kernels that bind much else.

@group(0) @binding(2) var<storage, read> input_words: array<u32>;

fn word_load(index: u32) -> u32 {
    return input_words[index];
}

fn vector_at(index: u32) -> vec4<u32> {
    let word = 4u * index;
    return vec4<u32>(input_words[word], input_words[word + 1u], input_words[word + 2u], input_words[word + 3u]);
}
