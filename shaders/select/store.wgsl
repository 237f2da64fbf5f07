// Where a selection goes: elements of a word or two, or positions. `result_index` is the word of the binding's first item.

@if(words) @group(0) @binding(4) var<storage, read_write> output: array<u32>;

@if(words) fn item_store(job: Params, index: u32, item: vec2<u32>) {
    let word = job.result_index + ITEM_WORDS * index;
    output[word] = item.x;
    if ITEM_WORDS == 2u {
        output[word + 1u] = item.y;
    }
}

@if(words) fn position_store(job: Params, index: u32, position: vec2<u32>) {
    let words = number_words(job);
    let word = job.result_index + words * index;
    output[word] = position.x;
    if words == 2u {
        output[word + 1u] = position.y;
    }
}

// Where a selection goes: elements of a byte or two, which share words with others. `result_index` is the byte of the binding's first item.
// An element's lane changes no bits but the element's, and does so by atomics, so that it does not matter when other lanes change theirs.

@if(parts) @group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

@if(parts) fn item_store(job: Params, index: u32, item: vec2<u32>) {
    let byte = job.result_index + ITEM_BYTES * index;
    let shift = 8u * (byte & 3u);
    atomicAnd(&output[byte >> 2u], ~(part_bits() << shift));
    atomicOr(&output[byte >> 2u], item.x << shift);
}

@if(parts) fn position_store(job: Params, index: u32, position: vec2<u32>) {
    let words = number_words(job);
    let word = (job.result_index >> 2u) + words * index;
    atomicStore(&output[word], position.x);
    if words == 2u {
        atomicStore(&output[word + 1u], position.y);
    }
}

// Where lengths of runs go, or where these begin.

@if(numbers) @group(0) @binding(8) var<storage, read_write> lengths: array<u32>;

@if(numbers) fn number_store(job: Params, index: u32, number: vec2<u32>) {
    let words = number_words(job);
    let word = job.lengths_begin + words * index;
    lengths[word] = number.x;
    if words == 2u {
        lengths[word + 1u] = number.y;
    }
}

// Where a selection goes: elements of several components, from where they are in the input, or positions.

@if(components) @group(0) @binding(4) var<storage, read_write> output: array<u32>;

// The item is the place of its first word.
@if(components) fn item_store(job: Params, index: u32, item: vec2<u32>) {
    let words = job.item_words;
    let to = job.result_index + words * index;
    for (var word = 0u; word < words; word++) {
        output[to + word] = input_words[item.x + word];
    }
}

@if(components) fn position_store(job: Params, index: u32, position: vec2<u32>) {
    let words = number_words(job);
    let word = job.result_index + words * index;
    output[word] = position.x;
    if words == 2u {
        output[word + 1u] = position.y;
    }
}
