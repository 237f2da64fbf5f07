// A scan in a single pass: operators that the device combines in few steps. A workgroup leaves its block's total for the blocks behind
// it, and looks back for what is before the block. The block's elements stay in registers meanwhile.

const BLOCK_ROWS = 8u;
const LOG2_BLOCK_ROWS = 3u;

// Whether the device may not be right for the values of the block, or for what is before it.
var<workgroup> unsafe_flag: atomic<u32>;

// One answer for all lanes, with a barrier.
fn block_is_unsafe() -> bool {
    if CHECKS_RANGE {
        return workgroupUniformLoad(&unsafe_flag) != 0u;
    }
    workgroupBarrier();
    return false;
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let lane_index = lane_index_of(workgroup, invocation);
    if lane_index == 0u {
        atomicStore(&missing, NOTHING);
    }
    let key = pass_key();
    let own = block_take(params, workgroup, lane_index);
    // The block to make next: its own one, or one that no other workgroup made yet. Each time there is one total more.
    var block = own;
    var polls = FIRST_POLLS;
    var is_done = false;
    for (var attempt = 0u; attempt < 3u * params.blocks; attempt++) {
        if CHECKS_RANGE {
            if lane_index == 0u {
                atomicStore(&unsafe_flag, 0u);
            }
            workgroupBarrier();
        }
        let job = job_of_block(workgroup, block);
        let rounds = rounds_of(job);
        let first = round_tile(job, rounds, 0u, workgroup, invocation);
        let second = round_tile(job, rounds, 1u, workgroup, invocation);
        let total = block_total(job, first, second, workgroup, invocation);
        if lane_index == 0u {
            total_publish(job, 0u, block, key, total);
        }
        // It is on its way to all before anything else: without this barrier a scan of 2^28 elements took 1.14 times as long on an NVIDIA H100.
        storageBarrier();
        if block == own {
            let next = look_back(job, own, total, key, polls, lane_index);
            if next == own {
                if lane_index == 0u {
                    pass_leave(job.blocks, key);
                }
                is_done = true;
                block_scan(job, rounds, first, second, workgroup, invocation);
                break;
            }
            if next != NOTHING {
                block = next;
            }
            polls = LATER_POLLS;
        } else {
            block = own;
        }
        // Lanes may still look at nodes. And what was left is there for the next look.
        storageBarrier();
        workgroupBarrier();
    }
    // No attempt is the last one: but if it were, the next pass would not be lost, too.
    if !is_done & (lane_index == 0u) {
        pass_leave(params.blocks, key);
    }
}

fn job_of_block(workgroup: WorkgroupBuiltins, block: u32) -> Params {
    var job = job_of(workgroup);
    job.block = block;
    return job;
}

// A lane's elements of a round.
fn round_tile(
    job: Params,
    rounds: Rounds,
    round: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Tile {
    let begin = block_begin_of(job) + round * ROUND_ITEMS;
    var tile: Tile;
    if (rounds.whole_begin <= round) & (round < rounds.whole_end) {
        let rows = round_load(job, begin, workgroup, invocation);
        tile = Tile(
            items_lift(rows.row0),
            items_lift(rows.row1),
            items_lift(rows.row2),
            items_lift(rows.row3),
        );
    } else {
        tile = block_tile(job, tile_at(job, begin, workgroup, invocation));
    }
    var range = range_start();
    range = range_include_acc4(range_include_acc4(range, tile.row0), tile.row2);
    range = range_include_acc4(range_include_acc4(range, tile.row1), tile.row3);
    if CHECKS_RANGE & !range_is_safe_in_tile(range) {
        atomicStore(&unsafe_flag, 1u);
    }
    return tile;
}

// The block's total. One answer for all lanes, with barriers.
fn block_total(
    job: Params,
    first: Tile,
    second: Tile,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let lane_index = lane_index_of(workgroup, invocation);
    let count = scan_node_count(workgroup);
    let node = scan_node_of(workgroup, invocation);
    let total_of_first = scan_node_total(tile_sums(first), workgroup, invocation);
    let total_of_second = scan_node_total(tile_sums(second), workgroup, invocation);
    if scan_node_is_mine(workgroup, invocation) {
        nodes[node] = total_of_first;
        nodes[SCAN_SET_NODES + node] = total_of_second;
    }
    let is_unsafe = block_is_unsafe();
    scan_groups(0u, count, lane_index);
    scan_groups(SCAN_SET_NODES, count, lane_index);
    if is_unsafe {
        // As if the block were the first one: its rows are then a run of their own.
        rows_begin(job, LOG2_ROW_ITEMS, 0u, op_identity(), 0u, lane_index);
        workgroupBarrier();
        for (var row = 0u; row < BLOCK_ROWS; row++) {
            let at = block_begin_of(job) + row * ROW_ITEMS + 4u * lane_index;
            let items = block_items(job, at);
            _ = row_scan(job, row, items, 0u, 0u, 0u, lane_index);
        }
        return run_totals[LOG2_BLOCK_ROWS];
    }
    return op_combine(scan_total(0u, count), scan_total(SCAN_SET_NODES, count));
}

// Writes the block's results, once all that is before it is known.
fn block_scan(
    job: Params,
    rounds: Rounds,
    first: Tile,
    second: Tile,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let lane_index = lane_index_of(workgroup, invocation);
    let before = blocks_before(job, job.block);
    let middle = op_combine(before, scan_total(0u, scan_node_count(workgroup)));
    if CHECKS_RANGE {
        if (lane_index == 0u) & !(carry_is_safe(initial_acc(job)) & carry_is_safe(before) & carry_is_safe(middle)) {
            atomicStore(&unsafe_flag, 1u);
        }
        if block_is_unsafe() {
            if has_near(job.block) {
                near_join_any(job.block, lane_index);
            }
            let rows_before = job.block << LOG2_BLOCK_ROWS;
            rows_begin(job, LOG2_ROW_ITEMS, rows_before, before_first(job), 0u, lane_index);
            workgroupBarrier();
            for (var row = 0u; row < BLOCK_ROWS; row++) {
                block_row_scan(job, row, rows_before, 0u, 0u, lane_index);
            }
            return;
        }
    }
    var after = middle;
    if (job.flags & FLAG_INCLUSIVE) != 0u {
        after = blocks_before(job, job.block + 1u);
    }
    if !CHECKS_RANGE {
        round_down(job, 0u, first, before, middle, workgroup, invocation);
        round_down(job, 1u, second, middle, after, workgroup, invocation);
        return;
    }
    // Compilers write a round once, as a row in `block_tile`: f32s are then up to 5 % faster on an NVIDIA H200, and compile sooner. Of
    // u32s 2^28 would take 3 % longer.
    let end = 2u + (nothing_of(job) & job.block);
    for (var round = 0u; round < end; round++) {
        let is_second = round == 1u;
        let tile = tile_select(first, second, is_second);
        let before_round = acc_select(before, middle, is_second);
        let after_round = acc_select(middle, after, is_second);
        round_down(job, round, tile, before_round, after_round, workgroup, invocation);
    }
}

fn tile_select(a: Tile, b: Tile, takes_b: bool) -> Tile {
    if takes_b {
        return b;
    }
    return a;
}

// The results of a round, before and behind which are these.
fn round_down(
    job: Params,
    round: u32,
    tile: Tile,
    before: Acc,
    after: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let is_inclusive = (job.flags & FLAG_INCLUSIVE) != 0u;
    let base = round * SCAN_SET_NODES;
    let count = scan_node_count(workgroup);
    let node = scan_node_of(workgroup, invocation);
    let at = tile_at(job, block_begin_of(job) + round * ROUND_ITEMS, workgroup, invocation);
    var after_tile = after;
    if is_inclusive & (node + 1u < count) {
        after_tile = scan_before(base, count, node + 1u, before);
    }
    let before_tile = scan_before(base, count, node, before);
    // Sums are made a second time, so that they are in no registers meanwhile.
    let up = tile_up(tile_sums(tile), workgroup, invocation);
    let down = tile_down(up, before_tile, after_tile, is_inclusive, workgroup, invocation);
    row_store(job, at.x, tile.row0, down.before.x, down.after.x, is_inclusive);
    row_store(job, at.y, tile.row1, down.before.y, down.after.y, is_inclusive);
    row_store(job, at.z, tile.row2, down.before.z, down.after.z, is_inclusive);
    row_store(job, at.w, tile.row3, down.before.w, down.after.w, is_inclusive);
}
