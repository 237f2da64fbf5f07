// Where a selection goes: elements of a byte or two, which share words with others. `result_index` is the byte of the binding's first item.
// An element's lane changes no bits but the element's, and does so by atomics, so that it does not matter when other lanes change theirs.

@group(0) @binding(4) var<storage, read_write> output: array<atomic<u32>>;

fn item_store(job: Params, index: u32, item: vec2<u32>) {
    let byte = job.result_index + ITEM_BYTES * index;
    let shift = 8u * (byte & 3u);
    atomicAnd(&output[byte >> 2u], ~(part_bits() << shift));
    atomicOr(&output[byte >> 2u], item.x << shift);
}

fn position_store(job: Params, index: u32, position: vec2<u32>) {
    let words = number_words(job);
    let word = (job.result_index >> 2u) + words * index;
    atomicStore(&output[word], position.x);
    if words == 2u {
        atomicStore(&output[word + 1u], position.y);
    }
}
