// Blocks of operators that have an order.

fn rows_range(rows: Rows) -> Range {
    let even = range_include_items(range_include_items(range_start(), rows.row0), rows.row2);
    return range_include_items(range_include_items(even, rows.row1), rows.row3);
}

// A team's node of a round.
fn node_of_round(round: u32, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return round * (WORKGROUP_SIZE / team_size_of(workgroup)) + team_id_of(workgroup, invocation);
}

// By a lane: a tile's total becomes its node.
fn node_store(tile: u32, total: Acc) {
    nodes[tile] = total;
    if CHECKS_TOTALS & !total_is_right(total) {
        atomicStore(&has_unsafe, 1u);
    }
}

// The total of the job's block; or, where the launch ends in it, its runs, and nothing. Valid in every lane.
fn block_reduce(
    job: Params,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let lane_index = lane_index_of(workgroup, invocation);
    let rounds = rounds_of(job);
    let block_begin = block_begin_of(job);
    // The next round is on its way while one is folded.
    var next: Rows;
    if rounds.whole_begin < rounds.whole_end {
        next = round_load(job, block_begin + rounds.whole_begin * ROUND_ITEMS, workgroup, invocation);
    }
    unsafe_tiles_clear(lane_index);
    unsafe_clear(lane_index);
    runs_clear(job, lane_index);
    workgroupBarrier();
    let teams = WORKGROUP_SIZE / team_size_of(workgroup);
    var waiting = none_waiting();
    for (var round = rounds.whole_begin; round < rounds.whole_end; round++) {
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
        let range = rows_range(rows);
        if CHECKS_RANGE & !range_is_safe(range) {
            unsafe_tile_note(node_of_round(round, workgroup, invocation), range);
        }
        waiting = round_store(waiting, rows, round, rounds, workgroup, invocation);
    }
    let rounds_of_block = 1u << (job.log2_block_items - LOG2_ROUND_ITEMS);
    let is_tree = (job.flags & FLAG_IS_TREE) != 0u;
    let is_short = IDENTITY_IS_NEUTRAL & is_tree & (job.end < ROUND_ITEMS) & (job.end >= 4u) & (job.vec_end == job.end);
    if is_short {
        short_reduce(job, workgroup, invocation);
    }
    let is_whole = (edge_count(rounds) == 0u) & (is_tree | (rounds.end - rounds.begin == rounds_of_block));
    let has_unsafe_tiles = unsafe_load();
    if !has_unsafe_tiles & (is_whole | is_short) {
        let total = nodes_reduce(rounds.end * teams, workgroup, invocation);
        if totals_are_right(total, lane_index) {
            return block_with_places(job, total, workgroup, invocation);
        }
    }
    tiles_with_places(job, rounds, workgroup, invocation);
    if CHECKS_RANGE & has_unsafe_tiles & !is_short {
        unsafe_tiles_combine(job, rounds, workgroup, invocation);
    }
    return block_combine(job, rounds, firstLeadingBit(teams), lane_index);
}

// A power of two of elements, fewer than a round: the identity stands in for those that are missing, so that it is the tree
// of a round.
fn short_reduce(job: Params, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let team_size = team_size_of(workgroup);
    let team_lane = team_lane_of(workgroup, invocation);
    let first = 16u * team_size * team_id_of(workgroup, invocation);
    let at0 = first + 4u * tile_index(0u, team_lane, team_size);
    let at1 = first + 4u * tile_index(1u, team_lane, team_size);
    let at2 = first + 4u * tile_index(2u, team_lane, team_size);
    let at3 = first + 4u * tile_index(3u, team_lane, team_size);
    let rows =
        Rows(items_or_first(job, at0), items_or_first(job, at1), items_or_first(job, at2), items_or_first(job, at3));
    let range = rows_range(rows);
    if CHECKS_RANGE & !range_is_safe(range) {
        unsafe_tile_note(0u, range);
    }
    let totals = Acc4(
        acc_select(op_identity(), acc4_reduce(items_lift(rows.row0)), at0 < job.end),
        acc_select(op_identity(), acc4_reduce(items_lift(rows.row1)), at1 < job.end),
        acc_select(op_identity(), acc4_reduce(items_lift(rows.row2)), at2 < job.end),
        acc_select(op_identity(), acc4_reduce(items_lift(rows.row3)), at3 < job.end),
    );
    let total = team_reduce4(totals, workgroup, invocation);
    if team_lane == 0u {
        node_store(team_id_of(workgroup, invocation), total);
    }
}

// Four elements, or the launch's first four, without a branch, so that no load waits for another.
fn items_or_first(job: Params, at: u32) -> Items {
    return items_at(job, select(0u, at, at < job.end));
}
