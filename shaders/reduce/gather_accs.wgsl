// How a lane folds its vectors: it combines what it lifts.
alias Gathered = Acc4;

fn gather_start(rounds: Rounds) -> Gathered {
    return Acc4(op_identity(), op_identity(), op_identity(), op_identity());
}

fn gather_rows(gathered: Gathered, rows: Rows, round: u32) -> Gathered {
    let even = acc4_combine(items_lift(rows.row0), items_lift(rows.row2));
    let odd = acc4_combine(items_lift(rows.row1), items_lift(rows.row3));
    return acc4_combine(gathered, acc4_combine(even, odd));
}

fn gather_end(
    job: Params,
    gathered: Gathered,
    rounds: Rounds,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc4 {
    return gathered;
}
