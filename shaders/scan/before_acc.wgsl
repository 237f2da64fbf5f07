// What is before a place, for operators whose totals are accumulators, as runs are: the initial value counts as the first run.
alias Before = Acc;
alias Before4 = Acc4;

// As how many accumulators memory has it.
const BEFORE_ACCS = 1u;

fn before_part(before: Before, i: u32) -> Acc {
    return before;
}

fn before_of(first: Acc, last: Acc) -> Before {
    return first;
}

// Where nothing stands.
fn run_of_nothing() -> Acc {
    return op_identity();
}

// Two halves of a run.
fn runs_merge(a: Acc, b: Acc) -> Acc {
    return op_combine_any(a, b);
}

fn before_first(job: Params) -> Before {
    return initial_acc(job);
}

// And a run that comes after it.
fn before_join(before: Before, run: Acc) -> Before {
    return op_combine_any(before, run);
}

// The same; or, if the run merges, it and its sibling on the left.
fn before_step(before: Before, sibling: Acc, run: Acc, merges: bool) -> Before {
    return op_combine_any(acc_select(before, sibling, merges), run);
}

fn before_run(before: Before) -> Acc {
    return before;
}

fn before_finish(before: Before, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_finish(before, len);
}
