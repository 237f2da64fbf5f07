// Segments of lanes by the flags of their heads: the first lane of the lane's segment, and how many lanes that has.

fn subgroup_segment(is_head: bool, workgroup: Workgroup, invocation: Invocation) -> vec2<u32> {
    let heads = ballot(is_head, workgroup, invocation);
    let lane = subgroup_lane(workgroup, invocation);
    let before = heads & lanes_before(lane + 1u);
    let behind = heads & ~lanes_before(lane + 1u);
    var begin = 0u;
    var end = subgroup_lanes(workgroup, invocation);
    for (var word = 0u; word < 4u; word++) {
        if before[word] != 0u {
            begin = 32u * word + firstLeadingBit(before[word]);
        }
        if behind[word] != 0u {
            end = min(end, 32u * word + firstTrailingBit(behind[word]));
        }
    }
    return vec2<u32>(begin, end - begin);
}

fn workgroup_segment(is_head: bool, workgroup: Workgroup, invocation: Invocation) -> vec2<u32> {
    votes_collect(is_head, workgroup, invocation);
    let index = invocation.local_invocation_index;
    var begin = 0u;
    var end = WORKGROUP_SIZE;
    for (var word = 0u; word < VOTE_WORDS; word++) {
        let heads = atomicLoad(&votes[word]);
        let first = 32u * word;
        // Of the heads in the word, those up to this lane.
        let count = min(index + 1u - min(index + 1u, first), 32u);
        let mask = select((1u << (count & 31u)) - 1u, 0xffffffffu, count == 32u);
        if (heads & mask) != 0u {
            begin = first + firstLeadingBit(heads & mask);
        }
        if (heads & ~mask) != 0u {
            end = min(end, first + firstTrailingBit(heads & ~mask));
        }
    }
    return vec2<u32>(begin, end - begin);
}
