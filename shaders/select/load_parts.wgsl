// The bits of an element of a byte or two, and zeros above them. `base` is the byte of the first one. No element goes over the end of a word.

// Bytes of an element.
override ITEM_BYTES: u32 = 1u;

fn part_bits() -> u32 {
    return 0xffffffffu >> (32u - 8u * ITEM_BYTES);
}

fn item_word(job: Params, at: u32, word: u32) -> u32 {
    let byte = job.base + at * job.stride_bytes;
    return (input_words[byte >> 2u] >> (8u * (byte & 3u))) & part_bits();
}
