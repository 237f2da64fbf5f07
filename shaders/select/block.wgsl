// A block of a single pass, through workgroup memory. A lane writes its elements from its registers.

// The places in its row behind the last flagged element of lanes up to and with each, or 0, of four rows: 16 bits each. Twice, as `ranks`.
@if(memory) var<workgroup> row_ends: array<vec2<u32>, 512>;

// A lane's places of a round that begins here.
@if(memory) fn round_places(begin: u32, end: u32, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Places {
    return places_of(begin, end, WORKGROUP_SIZE, lane_index_of(workgroup, invocation));
}

// The block's total. One answer for all lanes, with barriers.
@if(memory) fn block_total(first: Round, second: Round, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Acc {
    let lane_index = lane_index_of(workgroup, invocation);
    let count = countOneBits(first.flags) + countOneBits(second.flags);
    ranks[lane_index] = vec2<u32>(count, max(round_end(first), round_end(second)));
    for (var half = WORKGROUP_SIZE / 2u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if lane_index < half {
            let a = ranks[lane_index];
            let b = ranks[lane_index + half];
            ranks[lane_index] = vec2<u32>(a.x + b.x, max(a.y, b.y));
        }
    }
    workgroupBarrier();
    return acc_of(ranks[0].x, ranks[0].y);
}

// Of the lane's four elements of a row, the place behind the last one that is flagged, or 0.
@if(memory) fn row_end(flags: u32, lane_index: u32) -> u32 {
    return select(0u, 4u * lane_index + 32u - countLeadingZeros(flags), flags != 0u);
}

@if(memory) fn row_ends_of(flags: u32, lane_index: u32) -> vec2<u32> {
    let first = row_end(flags & 0xfu, lane_index) | (row_end((flags >> 4u) & 0xfu, lane_index) << 16u);
    let third = row_end((flags >> 8u) & 0xfu, lane_index) | (row_end((flags >> 12u) & 0xfu, lane_index) << 16u);
    return vec2<u32>(first, third);
}

@if(memory) fn row_ends_join(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return max(a & vec2<u32>(0xffffu), b & vec2<u32>(0xffffu)) | max(a & vec2<u32>(0xffff0000u), b & vec2<u32>(0xffff0000u));
}

// As `ranks_sum`, of ends.
@if(memory) fn row_ends_make(own: vec2<u32>, lane_index: u32) -> u32 {
    row_ends[lane_index] = own;
    var from_half = 0u;
    for (var reach = 1u; reach < WORKGROUP_SIZE; reach <<= 1u) {
        workgroupBarrier();
        var end = row_ends[from_half + lane_index];
        if lane_index >= reach {
            end = row_ends_join(row_ends[from_half + lane_index - reach], end);
        }
        from_half = WORKGROUP_SIZE - from_half;
        row_ends[from_half + lane_index] = end;
    }
    workgroupBarrier();
    return from_half;
}

// How many elements are flagged up to some place, and the position behind the last of them.
@if(memory) struct Passed {
    count: u32,
    end: u32,
}

// Writes an element, if it is flagged.
@if(memory) fn one_emit(job: Params, before: Passed, at: u32, is_flagged: bool, item: vec2<u32>) -> Passed {
    if !is_flagged {
        return before;
    }
    item_emit(job, before.count, at, item, Last(before.end, vec2<u32>()));
    return Passed(before.count + 1u, at + 1u);
}

// Writes a lane's flagged elements of a row, the first of which is at this position.
@if(memory) fn row_emit(job: Params, before: Passed, at: u32, flags: u32, items: Four) {
    let second = one_emit(job, before, at, (flags & 1u) != 0u, vec2<u32>(items.low.x, items.high.x));
    let third = one_emit(job, second, at + 1u, (flags & 2u) != 0u, vec2<u32>(items.low.y, items.high.y));
    let fourth = one_emit(job, third, at + 2u, (flags & 4u) != 0u, vec2<u32>(items.low.z, items.high.z));
    _ = one_emit(job, fourth, at + 3u, (flags & 8u) != 0u, vec2<u32>(items.low.w, items.high.w));
}

// What a round has: how many elements of each row are flagged, and their ends; of all lanes, and of those before the lane.
@if(memory) struct RoundRanks {
    counts: vec2<u32>,
    ends: vec2<u32>,
    counts_before: vec2<u32>,
    ends_before: vec2<u32>,
}

// All lanes come here; there are barriers.
@if(memory) fn round_ranks(flags: u32, lane_index: u32) -> RoundRanks {
    // Lanes may still look at what was there.
    workgroupBarrier();
    let own = flags_count(flags);
    let from_half = ranks_sum(own, lane_index);
    let counts_before = ranks[from_half + lane_index] - own;
    let counts = ranks[from_half + WORKGROUP_SIZE - 1u];
    var ends = vec2<u32>();
    var ends_before = vec2<u32>();
    if TELLS_LENGTHS {
        let half = row_ends_make(row_ends_of(flags, lane_index), lane_index);
        ends = row_ends[half + WORKGROUP_SIZE - 1u];
        if lane_index > 0u {
            ends_before = row_ends[half + lane_index - 1u];
        }
    }
    return RoundRanks(counts, ends, counts_before, ends_before);
}

// What is flagged before a place that is behind this one, by so many elements of a row, of which the last one's place in the row is before `end`.
@if(memory) fn passed_by(before: Passed, row_begin: u32, counts: vec2<u32>, ends: vec2<u32>, row: u32) -> Passed {
    let end = count_of_row(ends, row);
    return Passed(before.count + count_of_row(counts, row), select(before.end, row_begin + end, end > 0u));
}

// Writes the flagged elements of a round that begins here. Says what is flagged up to its end. All lanes come here; there are barriers.
@if(memory) fn round_emit(job: Params, before: Passed, begin: u32, round: Round, lane_index: u32) -> Passed {
    let ranks_of_round = round_ranks(round.flags, lane_index);
    let counts = ranks_of_round.counts;
    let ends = ranks_of_round.ends;
    let counts_before = ranks_of_round.counts_before;
    let ends_before = ranks_of_round.ends_before;
    let second_begin = begin + ROW_ITEMS;
    let third_begin = second_begin + ROW_ITEMS;
    let fourth_begin = third_begin + ROW_ITEMS;
    let second = passed_by(before, begin, counts, ends, 0u);
    let third = passed_by(second, second_begin, counts, ends, 1u);
    let fourth = passed_by(third, third_begin, counts, ends, 2u);
    let own = 4u * lane_index;
    let flags = round.flags;
    let items = items_again(job, round.places);
    row_emit(job, passed_by(before, begin, counts_before, ends_before, 0u), begin + own, flags, items.row0);
    row_emit(job, passed_by(second, second_begin, counts_before, ends_before, 1u), second_begin + own, flags >> 4u, items.row1);
    row_emit(job, passed_by(third, third_begin, counts_before, ends_before, 2u), third_begin + own, flags >> 8u, items.row2);
    row_emit(job, passed_by(fourth, fourth_begin, counts_before, ends_before, 3u), fourth_begin + own, flags >> 12u, items.row3);
    return passed_by(fourth, fourth_begin, counts, ends, 3u);
}

// Writes the block's flagged elements, before which there are these. All lanes come here, after `block_total`.
@if(memory) fn block_emit(
    job: Params,
    first: Round,
    second: Round,
    before: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let lane_index = lane_index_of(workgroup, invocation);
    let begin = block_begin_of(job);
    let of_first = round_emit(job, Passed(acc_count(before), acc_end(before)), begin, first, lane_index);
    _ = round_emit(job, of_first, begin + ROUND_ITEMS, second, lane_index);
}

// A block of a single pass, through subgroups. Each has a part of a round for itself.

// A lane's places of a round that begins here.
@if(subgroups) fn round_places(begin: u32, end: u32, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Places {
    let size = subgroup_size_of(workgroup);
    let part = begin + 16u * size * subgroup_id_of(invocation);
    return places_of(part, end, size, subgroup_invocation_id_of(invocation));
}

// How many elements of each of two rounds are flagged in the subgroups before the lane's, and in all.
@if(subgroups) struct Totals {
    before: vec2<u32>,
    all: vec2<u32>,
}

// After a barrier.
@if(subgroups) fn totals_take(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Totals {
    let subgroup = subgroup_id_of(invocation);
    let subgroups = WORKGROUP_SIZE / subgroup_size_of(workgroup);
    var before = 0u;
    var all = 0u;
    for (var i = 0u; i < subgroups; i++) {
        let total = totals[i];
        all += total;
        before += select(0u, total, i < subgroup);
    }
    return Totals(vec2<u32>(before & 0xffffu, before >> 16u), vec2<u32>(all & 0xffffu, all >> 16u));
}

// The block's total. One answer for all lanes, with a barrier.
@if(subgroups) fn block_total(first: Round, second: Round, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Acc {
    let size = subgroup_size_of(workgroup);
    let subgroup = subgroup_id_of(invocation);
    let lane = subgroup_invocation_id_of(invocation);
    // Of both rounds, 16 bits each.
    let up = subgroupInclusiveAdd(countOneBits(first.flags) | (countOneBits(second.flags) << 16u));
    if lane == size - 1u {
        totals[subgroup] = up;
    }
    if TELLS_LENGTHS {
        let own_end = lanes_max(max(round_end(first), round_end(second)), size);
        if lane == 0u {
            ends[subgroup] = own_end;
        }
    }
    workgroupBarrier();
    let all = totals_take(workgroup, invocation).all;
    var end = 0u;
    if TELLS_LENGTHS {
        for (var i = 0u; i < WORKGROUP_SIZE / size; i++) {
            end = max(end, ends[i]);
        }
    }
    return acc_of(all.x + all.y, end);
}
