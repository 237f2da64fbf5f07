// How a block of a single pass writes the first elements of runs, through subgroups: lanes stage positions in workgroup memory, and then neighbouring lanes
// write neighbouring elements. Of runs, most elements are not written. So few loads and stores are left, and the position before one in memory is where the run
// before it begins.
//
// A lane has four neighbours of each row here.

// Positions at a time. Of runs of seven a block has fewer.
const STAGED = 1536u;

var<workgroup> staged: array<u32, STAGED>;
var<workgroup> count_of_block: u32;

// Of four rows: how many elements are flagged in a subgroup's lanes before the lane, and in all of them. `even` is of the first row, and of the third in its upper
// half, `odd` of the two others.
struct RowCounts {
    before_even: u32,
    before_odd: u32,
    even: u32,
    odd: u32,
}

// All lanes come here.
fn row_counts(flags: u32, size: u32) -> RowCounts {
    let even = countOneBits(flags & 0xfu) | (countOneBits(flags & 0xf00u) << 16u);
    let odd = countOneBits(flags & 0xf0u) | (countOneBits(flags & 0xf000u) << 16u);
    var up_even = 0u;
    var up_odd = 0u;
    if size <= 32u {
        // A row has at most 128 elements: a byte each.
        let up = subgroupInclusiveAdd(even | (odd << 8u));
        up_even = up & 0x00ff00ffu;
        up_odd = (up >> 8u) & 0x00ff00ffu;
    } else {
        up_even = subgroupInclusiveAdd(even);
        up_odd = subgroupInclusiveAdd(odd);
    }
    let last = size - 1u;
    return RowCounts(up_even - even, up_odd - odd, subgroupShuffle(up_even, last), subgroupShuffle(up_odd, last));
}

fn position_stage(slot: u32, at: u32, is_flagged: bool) {
    if is_flagged & (slot < STAGED) {
        staged[slot] = at;
    }
}

// Four elements of a lane, the flagged ones of which go to a slot and those behind it. What is before the window has slots from 2^31 on.
fn row_stage(slot: u32, at: u32, flags: u32) {
    let second = slot + (flags & 1u);
    let third = second + ((flags >> 1u) & 1u);
    let fourth = third + ((flags >> 2u) & 1u);
    position_stage(slot, at, (flags & 1u) != 0u);
    position_stage(second, at + 1u, (flags & 2u) != 0u);
    position_stage(third, at + 2u, (flags & 4u) != 0u);
    position_stage(fourth, at + 3u, (flags & 8u) != 0u);
}

// A lane's flagged elements of a round. `slot` is of the first one of the subgroup's part. All lanes come here.
fn round_stage(round: Round, slot: u32, size: u32) {
    let counts = row_counts(round.flags, size);
    let second = slot + (counts.even & 0xffffu);
    let third = second + (counts.odd & 0xffffu);
    let fourth = third + (counts.even >> 16u);
    let end = fourth + (counts.odd >> 16u);
    // Of many flagged elements most are in other windows.
    if (bitcast<i32>(slot) >= i32(STAGED)) | (bitcast<i32>(end) <= 0) {
        return;
    }
    let at = round.places.first;
    let step = round.places.row_step;
    row_stage(slot + (counts.before_even & 0xffffu), at, round.flags);
    row_stage(second + (counts.before_odd & 0xffffu), at + step, round.flags >> 4u);
    row_stage(third + (counts.before_even >> 16u), at + 2u * step, round.flags >> 8u);
    row_stage(fourth + (counts.before_odd >> 16u), at + 3u * step, round.flags >> 12u);
}

fn item_from(job: Params, at: u32) -> vec2<u32> {
    return vec2<u32>(item_word(job, at, 0u), item_word(job, at, ITEM_WORDS - 1u));
}

// The element of a slot, of so many. `index` is the first one's among all that are selected, `last` the position behind the last one before it.
fn staged_emit(job: Params, index: u32, slot: u32, count: u32, at: u32, item: vec2<u32>, last: u32) {
    if slot < count {
        var before = last;
        if TELLS_LENGTHS & (slot > 0u) {
            before = staged[slot - 1u] + 1u;
        }
        item_emit(job, index + slot, at, item, Last(before, vec2<u32>()));
    }
}

// Writes the block's flagged elements, before which there are these. All lanes come here, after `block_total`.
fn block_emit(
    job: Params,
    first: Round,
    second: Round,
    before: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let size = subgroup_size_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let flagged = totals_take(workgroup, invocation);
    if lane_index == 0u {
        count_of_block = flagged.all.x + flagged.all.y;
    }
    let all = workgroupUniformLoad(&count_of_block);
    var last = acc_end(before);
    for (var window = 0u; window < all; window += STAGED) {
        round_stage(first, flagged.before.x - window, size);
        round_stage(second, flagged.all.x + flagged.before.y - window, size);
        workgroupBarrier();
        let count = min(all - window, STAGED);
        let index = acc_count(before) + window;
        for (var slot = 0u; slot < count; slot += 2u * WORKGROUP_SIZE) {
            // Both elements are on their way at once.
            let own = slot + lane_index;
            let other = own + WORKGROUP_SIZE;
            let own_at = staged[min(own, count - 1u)];
            let other_at = staged[min(other, count - 1u)];
            let own_item = item_from(job, own_at);
            let other_item = item_from(job, other_at);
            staged_emit(job, index, own, count, own_at, own_item, last);
            staged_emit(job, index, other, count, other_at, other_item, last);
        }
        last = staged[count - 1u] + 1u;
        // Lanes may still look at positions.
        workgroupBarrier();
    }
}
