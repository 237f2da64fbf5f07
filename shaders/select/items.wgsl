// The elements, word by word.

@group(0) @binding(2) var<storage, read> input_words: array<u32>;

// Words of an element. Where positions are selected there are no elements: 0.
override ITEM_WORDS: u32 = 1u;

fn item_word(job: Params, at: u32, word: u32) -> u32 {
    return input_words[job.base + at * (job.stride_bytes >> 2u) + word];
}
