// Elements of several components, of which positions are selected by a predicate. What is loaded of an element is the word that it begins at; the predicate
// loads the components that it looks at.

fn item_word(job: Params, at: u32, word: u32) -> u32 {
    return job.base + at * (job.stride_bytes >> 2u);
}

// A component of the element that begins at a word.
fn x_component(word: u32, component: u32) -> u32 {
    return input_words[word + component];
}
