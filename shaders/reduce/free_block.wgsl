// Blocks of operators that have the same result in every order.

fn acc4_combine(a: Acc4, b: Acc4) -> Acc4 {
    return Acc4(
        op_combine(a.x, b.x),
        op_combine(a.y, b.y),
        op_combine(a.z, b.z),
        op_combine(a.w, b.w),
    );
}

// What a lane has of the job's block.
fn lane_reduce(
    job: Params,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let rounds = rounds_of(job);
    let block_begin = block_begin_of(job);
    // The next round is on its way while one is folded.
    var next: Rows;
    if rounds.whole_begin < rounds.whole_end {
        next = round_load(job, block_begin + rounds.whole_begin * ROUND_ITEMS, workgroup, invocation);
    }
    var gathered = gather_start(rounds);
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
        gathered = gather_rows(gathered, rows, round);
    }
    var accs = gather_end(job, gathered, rounds, workgroup, invocation);
    let lane_index = lane_index_of(workgroup, invocation);
    let edges = edge_count(rounds);
    for (var i = 0u; i < edges; i++) {
        let first = block_begin + edge_round(rounds, i) * ROUND_ITEMS;
        let end = min(job.end, first + ROUND_ITEMS);
        for (var row_at = first; row_at < end; row_at += ROW_ITEMS) {
            accs = acc4_combine(accs, items_load4(job, row_at + 4u * lane_index));
        }
    }
    return acc4_reduce(accs);
}

// The total of the job's block. Valid in every lane.
fn block_reduce(
    job: Params,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    let value = lane_reduce(job, workgroup, invocation);
    return workgroup_reduce_all(value, workgroup, invocation);
}
