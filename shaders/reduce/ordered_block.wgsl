// Blocks of operators that have an order.

// Rounds of the block that the device's arithmetic may not be right for, a bit for each.
var<workgroup> unsafe_rounds: array<atomic<u32>, MAX_NODES / 32u>;

fn unsafe_note(round: u32) {
    atomicOr(&unsafe_rounds[round >> 5u], 1u << (round & 31u));
    atomicStore(&has_unsafe, 1u);
}

fn rows_range(rows: Rows) -> Range {
    let even = range_include_elems(range_include_elems(range_start(), rows.row0), rows.row2);
    return range_include_elems(range_include_elems(even, rows.row1), rows.row3);
}

fn acc4_range(range: Range, accs: Acc4) -> Range {
    return range_include_acc(
        range_include_acc(range_include_acc(range_include_acc(range, accs.x), accs.y), accs.z),
        accs.w,
    );
}

// What a team has of a round becomes a node.
fn node_store(
    round: u32,
    values: Acc4,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let total = team_reduce4(values, workgroup, invocation);
    if team_lane_of(workgroup, invocation) == 0u {
        let teams = WORKGROUP_SIZE / team_size_of(workgroup);
        nodes[round * teams + team_id_of(workgroup, invocation)] = total;
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
    if CHECKS_RANGE && lane_index < MAX_NODES / 32u {
        atomicStore(&unsafe_rounds[lane_index], 0u);
    }
    unsafe_clear(lane_index);
    runs_clear(job, lane_index);
    workgroupBarrier();
    for (var round = rounds.whole_begin; round < rounds.whole_end; round++) {
        // Member by member, as DXC takes a copy of a struct for its source, whatever is stored there meanwhile.
        let rows = Rows(next.row0, next.row1, next.row2, next.row3);
        if round + 1u < rounds.whole_end {
            next = round_load(job, block_begin + (round + 1u) * ROUND_ITEMS, workgroup, invocation);
        }
        if CHECKS_RANGE && !range_is_safe(rows_range(rows)) {
            unsafe_note(round);
        }
        let totals = Acc4(
            acc4_reduce(quad_lift(rows.row0)),
            acc4_reduce(quad_lift(rows.row1)),
            acc4_reduce(quad_lift(rows.row2)),
            acc4_reduce(quad_lift(rows.row3)),
        );
        node_store(round, totals, workgroup, invocation);
    }
    let rounds_of_block = 1u << (job.log2_block_items - LOG2_ROUND_ITEMS);
    let teams = WORKGROUP_SIZE / team_size_of(workgroup);
    let is_tree = (job.flags & FLAG_IS_TREE) != 0u;
    let is_short = is_tree && job.end < ROUND_ITEMS;
    if is_short {
        short_reduce(job, workgroup, invocation);
    }
    let is_whole = edge_count(rounds) == 0u && (is_tree || rounds.end - rounds.begin == rounds_of_block);
    let has_unsafe_rounds = unsafe_load();
    if !has_unsafe_rounds && (is_whole || is_short) {
        return nodes_reduce(rounds.end * teams, workgroup, invocation);
    }
    return block_combine(job, rounds, has_unsafe_rounds, firstLeadingBit(teams), lane_index);
}

// A power of two of elements, fewer than a round: the identity stands in for those that are missing, so that it is the tree
// of a round.
fn short_reduce(job: Params, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let team_size = team_size_of(workgroup);
    let team_lane = team_lane_of(workgroup, invocation);
    let first = 16u * team_size * team_id_of(workgroup, invocation);
    let row0 = items_load4(job, first + 4u * tile_index(0u, team_lane, team_size));
    let row1 = items_load4(job, first + 4u * tile_index(1u, team_lane, team_size));
    let row2 = items_load4(job, first + 4u * tile_index(2u, team_lane, team_size));
    let row3 = items_load4(job, first + 4u * tile_index(3u, team_lane, team_size));
    let range = acc4_range(acc4_range(acc4_range(acc4_range(range_start(), row0), row1), row2), row3);
    if CHECKS_RANGE && !range_is_safe(range) {
        unsafe_note(0u);
    }
    let totals =
        Acc4(acc4_reduce(row0), acc4_reduce(row1), acc4_reduce(row2), acc4_reduce(row3));
    node_store(0u, totals, workgroup, invocation);
}
