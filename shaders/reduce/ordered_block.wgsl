// Blocks of operators that have an order.

// Rounds of the block that the device's arithmetic may not be right for, a bit for each.
var<workgroup> unsafe_rounds: array<atomic<u32>, MAX_NODES / 32u>;

fn rows_range(rows: Rows) -> Range {
    let even = range_include_elems(range_include_elems(range_start(), rows.row0), rows.row2);
    return range_include_elems(range_include_elems(even, rows.row1), rows.row3);
}

fn acc4_range(accs: Acc4) -> Range {
    return range_include_acc(
        range_include_acc(range_include_acc(range_include_acc(range_start(), accs.x), accs.y), accs.z),
        accs.w,
    );
}

// The totals of four vectors.
fn rows_reduce(rows: Rows, is_safe: bool) -> Acc4 {
    return Acc4(
        acc4_reduce(quad_lift(rows.row0), is_safe),
        acc4_reduce(quad_lift(rows.row1), is_safe),
        acc4_reduce(quad_lift(rows.row2), is_safe),
        acc4_reduce(quad_lift(rows.row3), is_safe),
    );
}

// What a team has of a round becomes a node.
fn node_store(
    round: u32,
    total: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
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
        var totals = rows_reduce(rows, true);
        if CHECKS_RANGE && !range_is_safe(rows_range(rows)) {
            // Most often that is all there is to do: one small number among larger ones.
            totals = rows_reduce(rows, false);
            if !range_is_safe(acc4_range(totals)) {
                atomicOr(&unsafe_rounds[round >> 5u], 1u << (round & 31u));
                atomicStore(&has_unsafe, 1u);
            }
        }
        node_store(round, team_reduce4(totals, true, workgroup, invocation), workgroup, invocation);
    }
    var is_safe = true;
    if CHECKS_RANGE {
        is_safe = workgroupUniformLoad(&has_unsafe) == 0u;
        if !is_safe {
            rounds_redo(job, rounds, workgroup, invocation);
        }
    }
    let rounds_of_block = 1u << (job.log2_block_items - LOG2_ROUND_ITEMS);
    let nodes_of_block = rounds_of_block * (WORKGROUP_SIZE / team_size_of(workgroup));
    if rounds.whole_end - rounds.whole_begin == rounds_of_block {
        workgroupBarrier();
        return nodes_reduce(nodes_of_block, is_safe, workgroup, invocation);
    }
    let edges = edge_count(rounds);
    for (var i = 0u; i < edges; i++) {
        edge_reduce(job, edge_round(rounds, i), workgroup, invocation);
    }
    let log2_tile_items = LOG2_ROUND_ITEMS - firstLeadingBit(WORKGROUP_SIZE / team_size_of(workgroup));
    let log2_nodes = firstLeadingBit(nodes_of_block);
    let span = span_up(span_from(job, block_begin, 1u << job.log2_block_items), log2_tile_items);
    nodes_reduce_runs(0u, log2_nodes, log2_nodes, log2_tile_items, span, lane_index);
    return nodes[0];
}

// The launch's part of as many positions.
fn span_from(job: Params, at: u32, count: u32) -> Span {
    return Span(max(job.begin, at) - at, min(job.end - at, count));
}

// Rounds once more, of those that were not safe.
fn rounds_redo(
    job: Params,
    rounds: Rounds,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    for (var first = 0u; first < rounds.whole_end; first += 32u) {
        let bits = workgroupUniformLoad(&unsafe_rounds[first >> 5u]);
        for (var i = 0u; i < 32u; i++) {
            if ((bits >> i) & 1u) == 1u {
                let at = block_begin_of(job) + (first + i) * ROUND_ITEMS;
                let rows = round_load(job, at, workgroup, invocation);
                let total = team_reduce4(rows_reduce(rows, false), false, workgroup, invocation);
                node_store(first + i, total, workgroup, invocation);
            }
        }
    }
}

// A round of which the launch has a part, or that can't be loaded four at a time: sixteen neighbours for each lane.
fn edge_reduce(
    job: Params,
    round: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let lane_index = lane_index_of(workgroup, invocation);
    let at = block_begin_of(job) + round * ROUND_ITEMS;
    let first = LANE_RUNS * lane_index;
    for (var i = 0u; i < LANE_RUNS; i += 4u) {
        let items = items_load4(job, at + first + i);
        lane_runs[i] = items.x;
        lane_runs[i + 1u] = items.y;
        lane_runs[i + 2u] = items.z;
        lane_runs[i + 3u] = items.w;
    }
    let span = span_from(job, at, ROUND_ITEMS);
    let total = lane_runs_reduce(4u, 0u, first, span);
    // The round before may still be read there.
    workgroupBarrier();
    nodes[MAX_NODES + lane_index] = total;
    // Up to what teams make of a whole round.
    let teams = WORKGROUP_SIZE / team_size_of(workgroup);
    let levels = firstLeadingBit(team_size_of(workgroup));
    nodes_reduce_runs(MAX_NODES, firstLeadingBit(WORKGROUP_SIZE), levels, 4u, span_up(span, 4u), lane_index);
    if lane_index < teams {
        nodes[round * teams + lane_index] = nodes[MAX_NODES + (lane_index << levels)];
    }
}
