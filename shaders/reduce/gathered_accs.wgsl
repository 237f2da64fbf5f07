// Where what a lane gathers of its vectors are accumulators.
alias Gathered = Acc4;

fn gather_start(rounds: Rounds) -> Gathered {
    return Acc4(op_identity(), op_identity(), op_identity(), op_identity());
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
