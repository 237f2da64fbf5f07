// The elements, word by word.

@group(0) @binding(2) var<storage, read> input_words: array<u32>;

// Words of an element. Where positions are selected there are no elements: 0.
override ITEM_WORDS: u32 = 1u;

fn item_word(job: Params, at: u32, word: u32) -> u32 {
    return input_words[job.base + at * (job.stride_bytes >> 2u) + word];
}

// Four neighbours, where anything looks at them. Those from the block's end on are the last one before it.
fn neighbours_at(job: Params, at: u32, end: u32) -> Neighbours {
    if ITEM_WORDS == 0u && !FLAGS_LOOK_AT_ITEMS {
        return Neighbours();
    }
    let last = end - 1u;
    let places = min(vec4<u32>(at, at + 1u, at + 2u, at + 3u), vec4<u32>(last));
    let low = neighbour_words(job, places, 0u);
    if ITEM_WORDS < 2u {
        return Neighbours(low, vec4<u32>());
    }
    return Neighbours(low, neighbour_words(job, places, 1u));
}

fn neighbour_words(job: Params, places: vec4<u32>, word: u32) -> vec4<u32> {
    return vec4<u32>(
        item_word(job, places.x, word),
        item_word(job, places.y, word),
        item_word(job, places.z, word),
        item_word(job, places.w, word),
    );
}
