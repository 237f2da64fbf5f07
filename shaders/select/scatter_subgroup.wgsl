// The last of three passes, through subgroups. Each has a part of a round for itself: four rows, in which neighbouring lanes have neighbouring
// elements. Lanes write their elements as soon as they know how many are flagged before them: in a row these go to neighbouring places.

const MAX_SUBGROUPS = WORKGROUP_SIZE / MIN_SUBGROUP_SIZE;

// What the subgroups have flagged of a round, and the positions behind the last ones, or 0. Twice: while lanes still look at those of one
// round, others may write the next one's.
var<workgroup> totals: array<u32, 2u * MAX_SUBGROUPS>;
var<workgroup> ends: array<u32, 2u * MAX_SUBGROUPS>;

// A position behind the last flagged one of a row's four that begin there, or 0.
fn row_end(at: u32, flags: u32) -> u32 {
    return select(0u, at + 32u - countLeadingZeros(flags), flags != 0u);
}

// The highest of the lanes up to and with this one.
fn subgroup_inclusive_max(value: u32, size: u32, lane: u32) -> u32 {
    var highest = value;
    for (var reach = 1u; reach < size; reach <<= 1u) {
        let below = subgroupShuffleUp(highest, reach);
        highest = max(highest, select(0u, below, lane >= reach));
    }
    return highest;
}

// The positions behind the flagged elements before a lane's of a row, and behind the row's last one, or 0. Only lengths need them.
struct RowEnds {
    before: u32,
    behind: u32,
}

fn row_ends(end: u32, size: u32, lane: u32) -> RowEnds {
    if !TELLS_LENGTHS {
        return RowEnds(0u, 0u);
    }
    let highest = subgroup_inclusive_max(end, size, lane);
    let below = subgroupShuffleUp(highest, 1u);
    return RowEnds(select(0u, below, lane > 0u), subgroupShuffle(highest, size - 1u));
}

// A lane's elements of a row. `slot` is how many of the block are flagged before them, and `offset` how many elements there are.
fn row_emit(
    job: Params,
    begins: Begins,
    places: Places,
    at: u32,
    offset: u32,
    slot: u32,
    flags: u32,
    items: Neighbours,
    last: Last,
) {
    let first = flags & 1u;
    let second = first + ((flags >> 1u) & 1u);
    let third = second + ((flags >> 2u) & 1u);
    place_emit(job, begins, places, at, offset, slot, flags, vec2<u32>(items.low.x, items.high.x), last);
    let second_last = Last(select(last.of_block, row_end(at, flags & 1u), first > 0u), last.of_all);
    let third_last = Last(select(last.of_block, row_end(at, flags & 3u), second > 0u), last.of_all);
    let fourth_last = Last(select(last.of_block, row_end(at, flags & 7u), third > 0u), last.of_all);
    place_emit(
        job, begins, places, at + 1u, offset + 1u, slot + first, flags >> 1u,
        vec2<u32>(items.low.y, items.high.y), second_last,
    );
    place_emit(
        job, begins, places, at + 2u, offset + 2u, slot + second, flags >> 2u,
        vec2<u32>(items.low.z, items.high.z), third_last,
    );
    place_emit(
        job, begins, places, at + 3u, offset + 3u, slot + third, flags >> 3u,
        vec2<u32>(items.low.w, items.high.w), fourth_last,
    );
}

fn place_emit(
    job: Params,
    begins: Begins,
    places: Places,
    at: u32,
    offset: u32,
    slot: u32,
    flags: u32,
    item: vec2<u32>,
    last: Last,
) {
    if (flags & 1u) != 0u {
        item_emit(job, begins.flagged + slot, at, item, last);
    } else if (job.flags & FLAG_KEEPS_REST) != 0u && at < places.end {
        // Behind all that are flagged, as many as there are before this one that are not.
        item_emit(job, begins.others + offset - slot, at, item, last);
    }
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let size = subgroup_size_of(workgroup);
    let subgroup = subgroup_id_of(invocation);
    let lane = subgroup_invocation_id_of(invocation);
    let subgroups = WORKGROUP_SIZE / size;
    let begin = block_begin_of(job);
    let end = block_end_of(job);
    let entry = entries[job.first_node + job.block];
    let begins = begins_of(job, entry.xy);
    // Flagged elements of the block, and the position behind the last of them.
    var before = 0u;
    var last = 0u;
    var base = 0u;
    for (var round = begin; round < end; round += ROUND_ITEMS) {
        let places = Places(round + 4u * (4u * size * subgroup + lane), 4u * size, end);
        let items = items_at(job, places);
        let flags = flags_of(job, places, items);
        let own = flags_count(flags);
        let up = vec2<u32>(subgroupInclusiveAdd(own.x), subgroupInclusiveAdd(own.y));
        let rows = vec2<u32>(subgroupShuffle(up.x, size - 1u), subgroupShuffle(up.y, size - 1u));
        let ranks = up - own;
        let second = rows.x & 0xffffu;
        let third = second + (rows.x >> 16u);
        let fourth = third + (rows.y & 0xffffu);
        let first_at = places.first;
        let second_at = first_at + places.row_items;
        let third_at = second_at + places.row_items;
        let fourth_at = third_at + places.row_items;
        let first_ends = row_ends(row_end(first_at, flags & 0xfu), size, lane);
        let second_ends = row_ends(row_end(second_at, (flags >> 4u) & 0xfu), size, lane);
        let third_ends = row_ends(row_end(third_at, (flags >> 8u) & 0xfu), size, lane);
        let fourth_ends = row_ends(row_end(fourth_at, flags >> 12u), size, lane);
        let behind_two = max(first_ends.behind, second_ends.behind);
        let behind_three = max(behind_two, third_ends.behind);
        if lane == 0u {
            totals[base + subgroup] = fourth + (rows.y >> 16u);
            ends[base + subgroup] = max(behind_three, fourth_ends.behind);
        }
        workgroupBarrier();
        var slot = before;
        var end_before = last;
        for (var i = 0u; i < subgroups; i++) {
            let total = totals[base + i];
            before += total;
            slot += select(0u, total, i < subgroup);
            if TELLS_LENGTHS {
                let other_end = ends[base + i];
                last = max(last, other_end);
                end_before = max(end_before, select(0u, other_end, i < subgroup));
            }
        }
        base = MAX_SUBGROUPS - base;
        let offset = first_at - begin;
        row_emit(
            job, begins, places, first_at, offset, slot + (ranks.x & 0xffffu), flags & 0xfu,
            items.row0, Last(max(end_before, first_ends.before), entry.zw),
        );
        row_emit(
            job, begins, places, second_at, offset + places.row_items,
            slot + second + (ranks.x >> 16u), (flags >> 4u) & 0xfu, items.row1,
            Last(max(end_before, max(first_ends.behind, second_ends.before)), entry.zw),
        );
        row_emit(
            job, begins, places, third_at, offset + 2u * places.row_items,
            slot + third + (ranks.y & 0xffffu), (flags >> 8u) & 0xfu, items.row2,
            Last(max(end_before, max(behind_two, third_ends.before)), entry.zw),
        );
        row_emit(
            job, begins, places, fourth_at, offset + 3u * places.row_items,
            slot + fourth + (ranks.y >> 16u), flags >> 12u, items.row3,
            Last(max(end_before, max(behind_three, fourth_ends.before)), entry.zw),
        );
    }
    scatter_end(job, lane_index_of(workgroup, invocation), begins.flagged + before, Last(last, entry.zw));
}
