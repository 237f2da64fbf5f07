// The flags of a round, by what `flags_of` asks for.

@if(items) fn round_flags(
    job: Params,
    places: Places,
    items: Items,
    begin: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> u32 {
    return flags_of(job, places, items);
}

// The flags of a round by a mask, through subgroups. Of a mask of bytes a lane loads four words, each of four neighbours' flags, and shuffles bring it those
// of its own elements, which are apart. So it loads a quarter of what it would load for each element alone.

@if(mask) fn round_flags(
    job: Params,
    places: Places,
    items: Items,
    begin: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> u32 {
    // All of this is the same for all lanes: either all of them shuffle, or none.
    let first_byte = job.mask_begin + begin;
    let is_whole = begin + ROUND_ITEMS <= block_end_of(job);
    if (FLAG_BYTES != 1u) | (job.mask_stride_bytes != 1u) | ((first_byte & 3u) != 0u) | !is_whole {
        return flags_of(job, places, items);
    }
    let size = subgroup_size_of(workgroup);
    let lane = subgroup_invocation_id_of(invocation);
    // A lane's word of the first row. A row has four flags, which are a word, for each lane: so the next row's word is `size` words on.
    let word = ((first_byte + 16u * size * subgroup_id_of(invocation)) >> 2u) + lane;
    let flags = flags_of_bytes(mask[word])
        | (flags_of_bytes(mask[word + size]) << 4u)
        | (flags_of_bytes(mask[word + 2u * size]) << 8u)
        | (flags_of_bytes(mask[word + 3u * size]) << 12u);
    // A lane's four elements of a row are `size` elements apart, which is a quarter as many words. So the lane a quarter of its own number has the flag of the first
    // one, and each further flag is a quarter of the lanes further on, at the same place of its word.
    let quarter = size >> 2u;
    let from_lane = lane >> 2u;
    let first = subgroupShuffle(flags, from_lane);
    let second = subgroupShuffle(flags, from_lane + quarter);
    let third = subgroupShuffle(flags, from_lane + 2u * quarter);
    let fourth = subgroupShuffle(flags, from_lane + 3u * quarter);
    let own = (vec4<u32>(first, second, third, fourth) >> vec4<u32>(lane & 3u)) & vec4<u32>(0x1111u);
    return own.x | (own.y << 1u) | (own.z << 2u) | (own.w << 3u);
}

// The flags of a round of a single pass: where runs of equal elements of a word or two begin. A lane loads its four of a row as vectors. The element before
// them is another lane's, which a shuffle brings.
//
// Of the parameters `head_bytes` is the position up to which elements can be loaded so.

@if(vectors) @group(0) @binding(1) var<storage, read> input_vectors: array<vec4<u32>>;

@if(vectors) fn vector_at(index: u32) -> vec4<u32> {
    return input_vectors[index];
}

// Four elements of which the first one's first word begins a vector.
@if(vectors) fn four_aligned(index: u32) -> Four {
    let first = vector_at(index >> 2u);
    if ITEM_WORDS < 2u {
        return Four(first, vec4<u32>());
    }
    return four_of(first, vector_at((index >> 2u) + 1u));
}

// Four elements from any word on.
@if(vectors) fn four_shifted(index: u32) -> Four {
    let first = index >> 2u;
    let next = vector_at(first + 1u);
    let words = words_from(vector_at(first), next, index);
    if ITEM_WORDS < 2u {
        return Four(words, vec4<u32>());
    }
    return four_of(words, words_from(next, vector_at(first + 2u), index));
}

// Of elements of two words.
@if(vectors) fn four_of(first: vec4<u32>, second: vec4<u32>) -> Four {
    return Four(vec4<u32>(first.x, first.z, second.x, second.z), vec4<u32>(first.y, first.w, second.y, second.w));
}

// A lane's elements of a round. One branch for all of them, so that all loads are on their way at once.
@if(vectors) fn items_by_vectors(job: Params, places: Places) -> Items {
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
@if(vectors) fn word_before_lane(last: u32, first: u32, size: u32, lane: u32) -> u32 {
    let given = select(last, first, lane == size - 1u);
    return subgroupShuffle(given, (lane + size - 1u) & (size - 1u));
}

// Four bits of a row, before which there is an element. All lanes come here.
@if(vectors) fn whole_flags(row: Four, before: vec2<u32>, size: u32, lane: u32) -> u32 {
    let low = word_before_lane(row.low.w, before.x, size, lane);
    var differ = row.low != vec4<u32>(low, row.low.xyz);
    if ITEM_WORDS == 2u {
        let high = word_before_lane(row.high.w, before.y, size, lane);
        differ = differ | (row.high != vec4<u32>(high, row.high.xyz));
    }
    return bits_of(differ);
}

// Row by row: few blocks have a round that ends within, or elements apart, and all others would keep registers for these.
@if(vectors) fn flags_one_by_one(job: Params, places: Places) -> u32 {
    let nothing = nothing_of(job) & job.block;
    var flags = 0u;
    for (var row = 0u; row < 4u + nothing; row++) {
        let i = 4u * (row & 3u);
        flags |= row_flags(job, places, i, four_at(job, places, i)) << i;
    }
    return flags;
}

@if(vectors) fn round_flags(
    job: Params,
    places: Places,
    items: Items,
    begin: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> u32 {
    if (begin + ROUND_ITEMS > min(block_end_of(job), job.vec_end)) | (job.stride_bytes != 4u * ITEM_WORDS) {
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

// A bit for each of a lane's elements of a round: four of each row. There are no branches, so that all loads are on their way at once.
@if(flags_by_rows) fn flags_of(job: Params, places: Places, items: Items) -> u32 {
    return row_flags(job, places, 0u, items.row0)
        | (row_flags(job, places, 4u, items.row1) << 4u)
        | (row_flags(job, places, 8u, items.row2) << 8u)
        | (row_flags(job, places, 12u, items.row3) << 12u);
}

// Four bits, of which those from the block's end on are 0.
@if(flags_by_rows) fn row_flags(job: Params, places: Places, i: u32, items: Four) -> u32 {
    let all = vec4<u32>(place_at(places, i)) + vec4<u32>(0u, 1u, 2u, 3u) * places.step;
    return flags4_at(job, four_places(places, i), items) & bits_of(all < vec4<u32>(places.end));
}

@if(flags_by_rows) fn bits_of(flags: vec4<bool>) -> u32 {
    let bits = select(vec4<u32>(), vec4<u32>(1u, 2u, 4u, 8u), flags);
    return bits.x | bits.y | bits.z | bits.w;
}
