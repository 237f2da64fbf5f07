// An element's words.

fn item_word(job: Params, at: u32, word: u32) -> u32 {
    return input_words[job.base + at * (job.stride_bytes >> 2u) + word];
}
