// The flags of a round by a mask, through subgroups. Of a mask of bytes a lane loads four words, each of four neighbours' flags, and shuffles bring it those
// of its own elements, which are apart. So it loads a quarter of what it would load for each element alone.

fn round_flags(
    job: Params,
    places: Places,
    items: Items,
    begin: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> u32 {
    // All of this is the same for all lanes: either all of them shuffle, or none.
    let first_byte = job.right_base + begin;
    let is_whole = begin + ROUND_ITEMS <= block_end_of(job);
    if (FLAG_BYTES != 1u) | (job.right_stride_bytes != 1u) | ((first_byte & 3u) != 0u) | !is_whole {
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
