// The flags of a round of a single pass: where runs of equal elements of a word or two begin. A lane loads its four of a row as vectors. The element before
// them is another lane's, which a shuffle brings.
//
// Of the parameters `head_bytes` is the position up to which elements can be loaded so.

@group(0) @binding(1) var<storage, read> input_vectors: array<vec4<u32>>;

fn vector_at(index: u32) -> vec4<u32> {
    return input_vectors[index];
}

// Four elements of which the first one's first word begins a vector.
fn four_aligned(index: u32) -> Four {
    let first = vector_at(index >> 2u);
    if ITEM_WORDS < 2u {
        return Four(first, vec4<u32>());
    }
    return four_of(first, vector_at((index >> 2u) + 1u));
}

// Four elements from any word on.
fn four_shifted(index: u32) -> Four {
    let first = index >> 2u;
    let next = vector_at(first + 1u);
    let words = words_from(vector_at(first), next, index);
    if ITEM_WORDS < 2u {
        return Four(words, vec4<u32>());
    }
    return four_of(words, words_from(next, vector_at(first + 2u), index));
}

// Of elements of two words.
fn four_of(first: vec4<u32>, second: vec4<u32>) -> Four {
    return Four(vec4<u32>(first.x, first.z, second.x, second.z), vec4<u32>(first.y, first.w, second.y, second.w));
}

// A lane's elements of a round. One branch for all of them, so that all loads are on their way at once.
fn items_by_vectors(job: Params, places: Places) -> Items {
    let index = job.base + ITEM_WORDS * places.first;
    let step = ITEM_WORDS * places.row_step;
    if (index & 3u) == 0u {
        return Items(
            four_aligned(index),
            four_aligned(index + step),
            four_aligned(index + 2u * step),
            four_aligned(index + 3u * step),
        );
    }
    return Items(
        four_shifted(index),
        four_shifted(index + step),
        four_shifted(index + 2u * step),
        four_shifted(index + 3u * step),
    );
}

// The word before a lane's: the last one of the lane before it. Before the first lane's there is `first`, which the last lane has. All lanes come here.
fn word_before_lane(last: u32, first: u32, size: u32, lane: u32) -> u32 {
    let given = select(last, first, lane == size - 1u);
    return subgroupShuffle(given, (lane + size - 1u) & (size - 1u));
}

// Four bits of a row, before which there is an element. All lanes come here.
fn whole_flags(row: Four, before: vec2<u32>, size: u32, lane: u32) -> u32 {
    let low = word_before_lane(row.low.w, before.x, size, lane);
    var differ = row.low != vec4<u32>(low, row.low.xyz);
    if ITEM_WORDS == 2u {
        let high = word_before_lane(row.high.w, before.y, size, lane);
        differ = differ | (row.high != vec4<u32>(high, row.high.xyz));
    }
    return bits_of(differ);
}

// Row by row: few blocks have a round that ends within, or elements apart, and all others would keep registers for these.
fn flags_one_by_one(job: Params, places: Places) -> u32 {
    let nothing = nothing_of(job) & job.block;
    var flags = 0u;
    for (var row = 0u; row < 4u + nothing; row++) {
        let i = 4u * (row & 3u);
        flags |= row_flags(job, places, i, four_at(job, places, i)) << i;
    }
    return flags;
}

fn round_flags(
    job: Params,
    places: Places,
    items: Items,
    begin: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> u32 {
    if (begin + ROUND_ITEMS > min(block_end_of(job), job.head_bytes)) | (job.stride_bytes != 4u * ITEM_WORDS) {
        return flags_one_by_one(job, places);
    }
    let size = subgroup_size_of(workgroup);
    let lane = subgroup_invocation_id_of(invocation);
    let loaded = items_by_vectors(job, places);
    // Before the subgroup's part.
    let before = max(places.first - 4u * lane, 1u) - 1u;
    let of_part = vec2<u32>(item_word(job, before, 0u), item_word(job, before, ITEM_WORDS - 1u));
    let flags = whole_flags(loaded.row0, of_part, size, lane)
        | (whole_flags(loaded.row1, vec2<u32>(loaded.row0.low.w, loaded.row0.high.w), size, lane) << 4u)
        | (whole_flags(loaded.row2, vec2<u32>(loaded.row1.low.w, loaded.row1.high.w), size, lane) << 8u)
        | (whole_flags(loaded.row3, vec2<u32>(loaded.row2.low.w, loaded.row2.high.w), size, lane) << 12u);
    // The first element of all begins a run.
    return flags | select(0u, 1u, places.first == 0u);
}
