// Elements are words here: two, of which the second one is 0 where they have one.
//
// Of the parameters `base` and `stride_bytes` are the first element's word and the bytes between elements, `right_base` the word of its
// difference. `partials` is the entry of the launch's first block.

@group(0) @binding(2) var<storage, read> input_words: array<u32>;

// The last element of each block, of all launches. Entry 0 is nothing's.
@group(0) @binding(3) var<storage, read_write> ends: array<vec2<u32>>;

fn input_item(job: Params, at: u32) -> vec2<u32> {
    let word = job.base + at * (job.stride_bytes >> 2u);
    if ITEM_WORDS == 1u {
        return vec2<u32>(input_words[word], 0u);
    }
    return vec2<u32>(input_words[word], input_words[word + 1u]);
}

// The position behind a block.
fn block_end(job: Params, block: u32) -> u32 {
    return min(job.end, (block + 1u) << job.log2_block_items);
}
