// Tiles are what a team has of a round. Accumulators tell all of them.

fn tile_reduce(rows: Rows, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Acc {
    let totals = Acc4(
        acc4_reduce(items_lift(rows.row0)),
        acc4_reduce(items_lift(rows.row1)),
        acc4_reduce(items_lift(rows.row2)),
        acc4_reduce(items_lift(rows.row3)),
    );
    return team_reduce4(totals, workgroup, invocation);
}

// No tile waits for another.
alias Waiting = u32;

fn none_waiting() -> Waiting {
    return 0u;
}

// The tiles of a round, of which teams have these rows, become nodes.
fn round_store(
    waiting: Waiting,
    rows: Rows,
    round: u32,
    rounds: Rounds,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Waiting {
    let total = tile_reduce(rows, workgroup, invocation);
    if team_lane_of(workgroup, invocation) == 0u {
        node_store(node_of_round(round, workgroup, invocation), total);
    }
    return waiting;
}

fn block_with_places(job: Params, total: Acc, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Acc {
    return total;
}

fn tiles_with_places(job: Params, rounds: Rounds, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {}
