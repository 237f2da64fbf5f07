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

fn block_with_places(job: Params, total: Acc, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> Acc {
    return total;
}

fn tiles_with_places(job: Params, rounds: Rounds, workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {}
