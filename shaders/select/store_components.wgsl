// Where a selection goes: elements of several components, from where they are in the input, or positions. `result_index` is the word of the binding's
// first item, and `log2_span` how many words an element has.

@group(0) @binding(4) var<storage, read_write> output: array<u32>;

// The item is the place of its first word.
fn item_store(job: Params, index: u32, item: vec2<u32>) {
    let words = job.log2_span;
    let to = job.result_index + words * index;
    for (var word = 0u; word < words; word++) {
        output[to + word] = input_words[item.x + word];
    }
}

fn position_store(job: Params, index: u32, position: vec2<u32>) {
    let words = number_words(job);
    let word = job.result_index + words * index;
    output[word] = position.x;
    if words == 2u {
        output[word + 1u] = position.y;
    }
}
