// Where a selection goes: elements of a word or two, or positions. `result_index` is the word of the binding's first item.

@group(0) @binding(4) var<storage, read_write> output: array<u32>;

fn item_store(job: Params, index: u32, item: vec2<u32>) {
    let word = job.result_index + ITEM_WORDS * index;
    output[word] = item.x;
    if ITEM_WORDS == 2u {
        output[word + 1u] = item.y;
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
