// A workgroup scans a block.

// Four items in a row: elements of the launch, what stands for those before it, and the identity behind it.
fn block_items(job: Params, at: u32) -> Acc4 {
    let items = items_load4(job, at);
    if at >= job.begin {
        return items;
    }
    return Acc4(
        block_item(job, at, items.x),
        block_item(job, at + 1u, items.y),
        block_item(job, at + 2u, items.z),
        block_item(job, at + 3u, items.w),
    );
}

fn block_item(job: Params, at: u32, item: Acc) -> Acc {
    if at >= job.begin {
        return item;
    }
    let block_begin = block_begin_of(job);
    return missing_load(job, 0u, at - block_begin, job.begin - block_begin);
}

// Scans a row of the block.
fn block_row_scan(job: Params, row: u32, first_row: u32, slot: u32, next_slot: u32, lane_index: u32) {
    let at = block_begin_of(job) + row * ROW_ITEMS + 4u * lane_index;
    let items = block_items(job, at);
    let prefixes = row_scan(job, place_of(row, first_row), items, slot, next_slot, 0u, lane_index);
    var next = prefixes.next;
    if (lane_index == LAST_LANE) & ((row + 1u) << LOG2_ROW_ITEMS == 1u << job.log2_block_items) {
        next = block_after(job, next);
    }
    if (job.flags & FLAG_INCLUSIVE) != 0u {
        outputs_store4(job, at, Before4(prefixes.y, prefixes.z, prefixes.w, next));
    } else {
        outputs_store4(job, at, Before4(prefixes.x, prefixes.y, prefixes.z, prefixes.w));
    }
}

// The totals before a block and behind it: the pass before this one has made them.

// A single block needs no other dispatch.
@if(ends) fn is_alone(job: Params) -> bool {
    return (job.flags & FLAG_ALONE) != 0u;
}

@if(ends) fn block_before(job: Params) -> Before {
    if is_alone(job) {
        return before_first(job);
    }
    return before_load(job, job.block);
}

// Behind the block, which may merge there with those before it: so this is no matter of the block's own total.
@if(ends) fn block_after(job: Params, own: Before) -> Before {
    if is_alone(job) {
        return own;
    }
    return before_load(job, job.block + 1u);
}

@if(ends) fn before_load(job: Params, block: u32) -> Before {
    let index = job.partials + job.blocks + BEFORE_ACCS * block;
    return before_of(scratch_load(index), scratch_load(index + BEFORE_ACCS - 1u));
}

// The last pass: a workgroup scans a block, round by round: operators that the device combines in few steps.

// See nodes.wgsl@scan.
@if(by_rounds) const KERNEL_NODES = 0u;

// The round after the one whose values, or what is before it, the device may not be right for.
@if(by_rounds) var<workgroup> unsafe_end: atomic<u32>;

// Whether the round is one. One answer for all lanes, with a barrier.
@if(by_rounds) fn round_is_unsafe(round: u32) -> bool {
    if CHECKS_RANGE {
        return workgroupUniformLoad(&unsafe_end) == round + 1u;
    }
    workgroupBarrier();
    return false;
}

@if(by_rounds) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let rounds = rounds_of(job);
    let block_begin = block_begin_of(job);
    // The next round is on its way while one is scanned.
    var next: Rows;
    if rounds.whole_begin < rounds.whole_end {
        next = round_load(job, block_begin + rounds.whole_begin * ROUND_ITEMS, workgroup, invocation);
    }
    let first_row = 4u * rounds.begin;
    let first_place = place_of(first_row, first_row);
    rows_begin(job, LOG2_ROW_ITEMS, first_place, block_before(job), rounds.begin & 1u, lane_index);
    if CHECKS_RANGE & (lane_index == LAST_LANE) {
        let is_safe = carry_is_safe(carries[rounds.begin & 1u]);
        atomicStore(&unsafe_end, select(rounds.begin + 1u, 0u, is_safe));
    }
    workgroupBarrier();
    for (var round = rounds.begin; round < rounds.end; round++) {
        let at = tile_at(job, block_begin + round * ROUND_ITEMS, workgroup, invocation);
        let is_whole = (rounds.whole_begin <= round) & (round < rounds.whole_end);
        var tile: Tile;
        var range = range_start();
        if is_whole {
            // Member by member, as DXC takes a copy of a struct for its source, whatever is stored there meanwhile.
            let rows = Rows(
                items_copy(next.row0),
                items_copy(next.row1),
                items_copy(next.row2),
                items_copy(next.row3),
            );
            if round + 1u < rounds.whole_end {
                next = round_load(job, block_begin + (round + 1u) * ROUND_ITEMS, workgroup, invocation);
            }
            range = range_include_items(range_include_items(range, rows.row0), rows.row2);
            range = range_include_items(range_include_items(range, rows.row1), rows.row3);
            tile = Tile(
                items_lift(rows.row0),
                items_lift(rows.row1),
                items_lift(rows.row2),
                items_lift(rows.row3),
            );
        } else {
            tile = block_tile(job, at);
            range = range_include_acc4(range_include_acc4(range, tile.row0), tile.row2);
            range = range_include_acc4(range_include_acc4(range, tile.row1), tile.row3);
        }
        if CHECKS_RANGE & !range_is_safe_in_tile(range) {
            atomicStore(&unsafe_end, round + 1u);
        }
        round_scan(job, rounds, round, at, tile, workgroup, invocation);
    }
}

@if(by_rounds) fn round_scan(
    job: Params,
    rounds: Rounds,
    round: u32,
    at: vec4<u32>,
    tile: Tile,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let lane_index = lane_index_of(workgroup, invocation);
    let is_inclusive = (job.flags & FLAG_INCLUSIVE) != 0u;
    let slot = round & 1u;
    let base = slot * SCAN_SET_NODES;
    let count = scan_node_count(workgroup);
    let node = scan_node_of(workgroup, invocation);
    let up = tile_up(tile_sums(tile), workgroup, invocation);
    if scan_node_is_mine(workgroup, invocation) {
        nodes[base + node] = tile_total(up);
    }
    let first_row = 4u * rounds.begin;
    if round_is_unsafe(round) {
        for (var row = 0u; row < 4u; row++) {
            let next_slot = select(slot, 1u - slot, row == 3u);
            block_row_scan(job, 4u * round + row, first_row, slot, next_slot, lane_index);
        }
    } else {
        scan_groups(base, count, lane_index);
        let carry = carries[slot];
        var after = carry;
        if is_inclusive & (node + 1u < count) {
            after = scan_before(base, count, node + 1u, carry);
        }
        if lane_index == LAST_LANE {
            let place = place_of(4u * round, first_row);
            let next = run_push(place, 2u, scan_total(base, count), carry);
            carries[1u - slot] = next;
            after = next;
            if (round + 1u) << LOG2_ROUND_ITEMS == 1u << job.log2_block_items {
                after = block_after(job, next);
            }
        }
        let before = scan_before(base, count, node, carry);
        let down = tile_down(up, before, after, is_inclusive, workgroup, invocation);
        row_store(job, at.x, tile.row0, down.before.x, down.after.x, is_inclusive);
        row_store(job, at.y, tile.row1, down.before.y, down.after.y, is_inclusive);
        row_store(job, at.z, tile.row2, down.before.z, down.after.z, is_inclusive);
        row_store(job, at.w, tile.row3, down.before.w, down.after.w, is_inclusive);
    }
    if CHECKS_RANGE & (lane_index == LAST_LANE) & !carry_is_safe(carries[1u - slot]) {
        atomicStore(&unsafe_end, round + 2u);
    }
}

// The last pass: a workgroup scans a block, row by row.
@if(by_rows) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let block_begin = block_begin_of(job);
    let first_row = (max(job.begin, block_begin) - block_begin) >> LOG2_ROW_ITEMS;
    let end = min(job.end - block_begin, 1u << job.log2_block_items);
    let end_row = (end + ROW_ITEMS - 1u) >> LOG2_ROW_ITEMS;
    let before = block_before(job);
    rows_begin(job, LOG2_ROW_ITEMS, place_of(first_row, first_row), before, 0u, lane_index);
    workgroupBarrier();
    for (var row = first_row; row < end_row; row++) {
        block_row_scan(job, row, first_row, 0u, 0u, lane_index);
    }
}
