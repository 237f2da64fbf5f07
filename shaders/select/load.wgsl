// An element's words.

@if(words) fn item_word(job: Params, at: u32, word: u32) -> u32 {
    return input_words[job.base + at * (job.stride_bytes >> 2u) + word];
}

// The bits of an element of a byte or two, and zeros above them. `base` is a byte. No element goes over the end of a word.

// Bytes of an element.
@if(parts) override ITEM_BYTES: u32 = 1u;

@if(parts) fn part_bits() -> u32 {
    return 0xffffffffu >> (32u - 8u * ITEM_BYTES);
}

@if(parts) fn item_word(job: Params, at: u32, word: u32) -> u32 {
    let byte = job.base + at * job.stride_bytes;
    return (input_words[byte >> 2u] >> (8u * (byte & 3u))) & part_bits();
}

// Elements of several components. What is loaded of one is the word that it begins at. What looks at components loads them from there, and so does what
// writes the element: a predicate here.

@if(components) fn item_word(job: Params, at: u32, word: u32) -> u32 {
    return job.base + at * (job.stride_bytes >> 2u);
}

// A component of the element that begins at a word.
@if(components) fn x_component(word: u32, component: u32) -> u32 {
    return input_words[word + component];
}
