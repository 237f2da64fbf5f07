// What the last of three passes has with either mechanism: a workgroup writes the flagged elements of its block to where they belong, in
// order. Where the others are kept too, they come behind all that are flagged.

// Where in the output's binding items of a block stand, of which the first one has a number among all. Blocks and bindings have less than
// 2^31 items. So what is not in the binding is from 2^31 on, or behind its end, whatever is added to it.
fn window_index(job: Params, number: vec2<u32>) -> u32 {
    let index = position_subtract(number, vec2<u32>(job.first_output_low, job.first_output_high));
    let sign = select(0u, 0xffffffffu, index.x >= 0x80000000u);
    return select(0x80000000u, index.x, index.y == sign);
}

// Where the flagged elements of a block begin, and where the others do.
struct Begins {
    flagged: u32,
    others: u32,
}

fn begins_of(job: Params, before: vec2<u32>) -> Begins {
    let others = position_subtract(position_of(job, block_begin_of(job)), before);
    let all = entries[job.entry_of_all].xy;
    return Begins(window_index(job, before), window_index(job, position_add(all, others)));
}

// The flagged element before another one: the position behind it, if it is of the block; else 0, and then `of_all` is its position in the
// whole sequence, or 0 if there is none.
struct Last {
    of_block: u32,
    of_all: vec2<u32>,
}

// The end of the last block.
fn scatter_end(job: Params, lane_index: u32, index: u32, last: Last) {
    if (lane_index == 0u) & (job.block + 1u == job.blocks) & ((job.flags & FLAG_ENDS) != 0u) {
        last_emit(job, index, last);
    }
}

// The last of three passes, through workgroup memory.

// A row's positions: those of flagged elements, and then the others.
@if(memory) var<workgroup> staged: array<u32, ROW_ITEMS>;

@if(memory) fn item_at(job: Params, at: u32) -> vec2<u32> {
    if ITEM_WORDS == 0u {
        return vec2<u32>();
    }
    return vec2<u32>(item_word(job, at, 0u), item_word(job, at, ITEM_WORDS - 1u));
}

@if(memory) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let keeps_rest = (job.flags & FLAG_KEEPS_REST) != 0u;
    let begin = block_begin_of(job);
    let end = block_end_of(job);
    let entry = entries[job.entries_before + job.block];
    let begins = begins_of(job, entry.xy);
    // Flagged elements of the block, and the position behind the last of them.
    var before = 0u;
    var last = 0u;
    for (var round = begin; round < end; round += ROUND_ITEMS) {
        let places = places_of(round, end, WORKGROUP_SIZE, lane_index);
        let flags = flags_of(job, places, items_at(job, places));
        let own = flags_count(flags);
        let from_half = ranks_sum(own, lane_index);
        let rank = ranks[from_half + lane_index] - own;
        let counts = ranks[from_half + WORKGROUP_SIZE - 1u];
        for (var row = 0u; row < 4u; row++) {
            let count = count_of_row(counts, row);
            let row_begin = round + row * ROW_ITEMS;
            var slot = count_of_row(rank, row);
            for (var i = 0u; i < 4u; i++) {
                let place = 4u * lane_index + i;
                let is_flagged = ((flags >> (4u * row + i)) & 1u) != 0u;
                staged[select(count + place - slot, slot, is_flagged)] = row_begin + place;
                slot += select(0u, 1u, is_flagged);
            }
            workgroupBarrier();
            for (var i = 0u; i < 4u; i++) {
                let place = i * WORKGROUP_SIZE + lane_index;
                let at = staged[place];
                if place < count {
                    var of_block = last;
                    if place > 0u {
                        of_block = staged[place - 1u] + 1u;
                    }
                    let index = begins.flagged + before + place;
                    item_emit(job, index, at, item_at(job, at), Last(of_block, entry.zw));
                } else if keeps_rest & (at < end) {
                    // Behind all that are flagged, as many as there are before this one that are not.
                    let others = row_begin - begin - before + place - count;
                    item_emit(job, begins.others + others, at, item_at(job, at), Last(last, entry.zw));
                }
            }
            if count > 0u {
                last = staged[count - 1u] + 1u;
            }
            before += count;
            workgroupBarrier();
        }
    }
    scatter_end(job, lane_index, begins.flagged + before, Last(last, entry.zw));
}

// The last of three passes, through subgroups. Each has a part of a round for itself. Lanes write their elements as soon as they know how many are
// flagged before them.

// There is one store for both kinds of elements: two of them, on two branches, took longer.
@if(subgroups) fn place_emit(job: Params, to: Target, at: u32, slot: u32, is_flagged: bool, item: vec2<u32>, last: u32) {
    // Behind all that are flagged, as many as there are before this one that are not.
    let other = to.begins.others + at - to.begin - slot;
    let is_kept = ((job.flags & FLAG_KEEPS_REST) != 0u) & (at < to.end);
    if is_flagged | is_kept {
        item_emit(job, select(other, to.begins.flagged + slot, is_flagged), at, item, Last(last, to.before));
    }
}

@if(subgroups) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let size = subgroup_size_of(workgroup);
    let subgroup = subgroup_id_of(invocation);
    let lane = subgroup_invocation_id_of(invocation);
    let subgroups = WORKGROUP_SIZE / size;
    let begin = block_begin_of(job);
    let end = block_end_of(job);
    let entry = entries[job.entries_before + job.block];
    let to = Target(begins_of(job, entry.xy), begin, end, entry.zw);
    // Flagged elements of the block, and the position behind the last of them.
    var before = 0u;
    var last = 0u;
    var base = 0u;
    for (var round = begin; round < end; round += ROUND_ITEMS) {
        let places = places_of(round + 16u * size * subgroup, end, size, lane);
        let items = items_at(job, places);
        let flags = round_flags(job, places, items, round, workgroup, invocation);
        let ranks = ranks_of(flags, size);
        if TELLS_LENGTHS {
            let own_last = select(0u, place_at(places, 31u - countLeadingZeros(flags)) + 1u, flags != 0u);
            let subgroup_last = lanes_max(own_last, size);
            if lane == 0u {
                ends[base + subgroup] = subgroup_last;
            }
        }
        if lane == 0u {
            totals[base + subgroup] = ranks.sums.w;
        }
        workgroupBarrier();
        var slot = before;
        var last_before = last;
        for (var i = 0u; i < subgroups; i++) {
            let total = totals[base + i];
            before += total;
            slot += select(0u, total, i < subgroup);
            if TELLS_LENGTHS {
                let other_last = ends[base + i];
                last = max(last, other_last);
                last_before = max(last_before, select(0u, other_last, i < subgroup));
            }
        }
        // While lanes still look at those of this round, others may write the next one's.
        base = MAX_SUBGROUPS - base;
        round_emit(job, to, places, items, flags, ranks, slot, last_before, size, lane);
    }
    scatter_end(job, lane_index, to.begins.flagged + before, Last(last, entry.zw));
}
