// Scans by operators that have an order: the state between launches is the runs before, as runs.wgsl explains.

// Blocks are counted from the beginning of the sequence. Those in which the launch ends have no total.
fn first_block_of(job: Params) -> u32 {
    return job.first_block;
}

fn end_block_of(job: Params) -> u32 {
    return first_block_of(job) + (job.end >> job.log2_block_items);
}

// What is before the first block of the sequence: the runs before the launch come after it.
fn launch_before(job: Params) -> Before {
    return before_first(job);
}

// What stands at a place before `begin`, where the launch begins: runs of this level and longer ones were left there, and where
// one begins it stands as a whole, and nothing elsewhere. So the tree of all places has the totals that it should.
fn missing_load(job: Params, level: u32, place: u32, begin: u32) -> Acc {
    let up = firstLeadingBit(place ^ begin);
    if (place & ((1u << up) - 1u)) != 0u {
        return run_of_nothing();
    }
    return scratch_load(job.state_before + level + up);
}

fn place_of(row: u32, first_row: u32) -> u32 {
    return row;
}

fn run_before_load(job: Params, level: u32) -> Acc {
    return scratch_load(job.state_before + level);
}

// Of the row in which the blocks end, the runs of less than a row that they leave. After a barrier.
fn row_runs_leave(job: Params, items: Acc4, first_half: Acc, row: u32, end: u32, lane_index: u32) {
    let end_in_row = end & (ROW_ITEMS - 1u);
    if ((job.flags & FLAG_ENDS) != 0u) | (row != end >> LOG2_ROW_ITEMS) {
        return;
    }
    let state = job.state_after + job.log2_block_items;
    if ((end_in_row & 1u) == 1u) & (lane_index == end_in_row >> 2u) {
        scratch_store(state, acc_select(items.x, items.z, (end_in_row & 2u) != 0u));
    }
    if ((end_in_row & 2u) != 0u) & (lane_index == end_in_row >> 2u) {
        scratch_store(state + 1u, first_half);
    }
    if (lane_index < TREE_LEVELS) & (((end_in_row >> (lane_index + 2u)) & 1u) == 1u) {
        let node = (end_in_row >> (lane_index + 2u)) - 1u;
        scratch_store(state + 2u + lane_index, tree[tree_level(lane_index) + node]);
    }
}

// Those of whole rows, after the last one. After a barrier.
fn runs_leave(job: Params, end: u32, lane_index: u32) {
    if ((job.flags & FLAG_ENDS) == 0u)
        & (lane_index < RUN_LEVELS)
        & ((((end >> LOG2_ROW_ITEMS) >> lane_index) & 1u) == 1u) {
        let state = job.state_after + job.log2_block_items + LOG2_ROW_ITEMS;
        scratch_store(state + lane_index, run_totals[lane_index]);
    }
}

fn total_leave(job: Params, total: Before) {}
