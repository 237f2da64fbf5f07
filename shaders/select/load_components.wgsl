// Elements of several components. What is loaded of one is the word that it begins at. What looks at components loads them from there, and so does what
// writes the element: a predicate here.

fn item_word(job: Params, at: u32, word: u32) -> u32 {
    return job.base + at * (job.stride_bytes >> 2u);
}

// A component of the element that begins at a word.
fn x_component(word: u32, component: u32) -> u32 {
    return input_words[word + component];
}
