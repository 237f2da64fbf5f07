// The values of the lane's segment, in order, combined, for each lane of it. A segment is the lanes from one that is a head to the one
// before the next; the subgroup's first lane is a head, whatever it says. Every lane of the workgroup passes a value; the result is valid
// in every lane.
fn subgroup_segmented_reduce(
    value: Value,
    is_head: bool,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Outcome {
    let segment = subgroup_segment(is_head, workgroup, invocation);
    return subgroup_segment_prefix(value, segment, segment.y, workgroup, invocation);
}

// The values of the lane's segment up to and with this lane, in order, combined. Segments are those of subgroup_segmented_reduce.
fn subgroup_segmented_inclusive_scan(
    value: Value,
    is_head: bool,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Outcome {
    let segment = subgroup_segment(is_head, workgroup, invocation);
    let count = subgroup_lane(workgroup, invocation) - segment.x + 1u;
    return subgroup_segment_prefix(value, segment, count, workgroup, invocation);
}

// The values of the lane's segment before this lane, in order, combined. Segments are those of subgroup_segmented_reduce.
fn subgroup_segmented_exclusive_scan(
    value: Value,
    is_head: bool,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Outcome {
    let segment = subgroup_segment(is_head, workgroup, invocation);
    let count = subgroup_lane(workgroup, invocation) - segment.x;
    return subgroup_segment_prefix(value, segment, count, workgroup, invocation);
}

// As subgroup_segmented_reduce, of tiles: of `width` neighbouring lanes, a power of two that all lanes agree on, and at most a subgroup.
// A tile's first lane is a head, whatever it says.
fn tile_segmented_reduce(
    value: Value,
    is_head: bool,
    width: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Outcome {
    let begins = group_lane(min(width, subgroup_size(workgroup)), invocation) == 0u;
    return subgroup_segmented_reduce(value, is_head | begins, workgroup, invocation);
}

// As subgroup_segmented_inclusive_scan, of tiles.
fn tile_segmented_inclusive_scan(
    value: Value,
    is_head: bool,
    width: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Outcome {
    let begins = group_lane(min(width, subgroup_size(workgroup)), invocation) == 0u;
    return subgroup_segmented_inclusive_scan(value, is_head | begins, workgroup, invocation);
}

// As subgroup_segmented_exclusive_scan, of tiles.
fn tile_segmented_exclusive_scan(
    value: Value,
    is_head: bool,
    width: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Outcome {
    let begins = group_lane(min(width, subgroup_size(workgroup)), invocation) == 0u;
    return subgroup_segmented_exclusive_scan(value, is_head | begins, workgroup, invocation);
}

// The first `count` values of a segment: its first lane, and how many it has.
fn subgroup_segment_prefix(
    value: Value,
    segment: vec2<u32>,
    count: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Outcome {
    let size = subgroup_size(workgroup);
    let position = subgroup_lane(workgroup, invocation) - segment.x;
    let node = tree_from(acc_of(value), position, size, workgroup, invocation);
    let begin = group_begin(size, workgroup, invocation) + segment.x;
    return outcome_of(group_prefix(node, begin, count, size, workgroup, invocation), count);
}

// The values of the lane's segment, in order, combined, for each lane of it: a segment is the lanes from one that is a head to the one
// before the next; the workgroup's first lane is a head, whatever it says. Every lane of the workgroup passes a value; the result is
// valid in every lane.
fn workgroup_segmented_reduce(
    value: Value,
    is_head: bool,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Outcome {
    let segment = workgroup_segment(is_head, workgroup, invocation);
    return workgroup_segment_prefix(value, segment, segment.y, invocation);
}

// The values of the lane's segment up to and with this lane, in order, combined. Segments are those of workgroup_segmented_reduce.
fn workgroup_segmented_inclusive_scan(
    value: Value,
    is_head: bool,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Outcome {
    let segment = workgroup_segment(is_head, workgroup, invocation);
    let count = invocation.local_invocation_index - segment.x + 1u;
    return workgroup_segment_prefix(value, segment, count, invocation);
}

// The values of the lane's segment before this lane, in order, combined. Segments are those of workgroup_segmented_reduce.
fn workgroup_segmented_exclusive_scan(
    value: Value,
    is_head: bool,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Outcome {
    let segment = workgroup_segment(is_head, workgroup, invocation);
    let count = invocation.local_invocation_index - segment.x;
    return workgroup_segment_prefix(value, segment, count, invocation);
}

// The first `count` values of a segment: its first lane, and how many it has. Segments lie across subgroups, so their trees grow in
// memory.
fn workgroup_segment_prefix(
    value: Value,
    segment: vec2<u32>,
    count: u32,
    invocation: Invocation,
) -> Outcome {
    let index = invocation.local_invocation_index;
    let position = index - segment.x;
    workgroupBarrier();
    acc_store(index, acc_of(value));
    for (var distance = 1u; distance <= (WORKGROUP_SIZE >> 1u); distance <<= 1u) {
        workgroupBarrier();
        if ((position + 1u) & (2u * distance - 1u)) == 0u {
            acc_store(index, op_combine_any(acc_load(index - distance), acc_load(index)));
        }
    }
    workgroupBarrier();
    return outcome_of(memory_prefix(segment.x, count, 1u << firstLeadingBit(WORKGROUP_SIZE)), count);
}

// Segments of lanes by the flags of their heads: the first lane of the lane's segment, and how many lanes that has.

@if(segment) fn subgroup_segment(is_head: bool, workgroup: Workgroup, invocation: Invocation) -> vec2<u32> {
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

@if(segment) fn workgroup_segment(is_head: bool, workgroup: Workgroup, invocation: Invocation) -> vec2<u32> {
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
