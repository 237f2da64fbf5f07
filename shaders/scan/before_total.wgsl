// What is before a place, for operators whose runs come to something else than a run. There is no initial value: runs come the longest
// first, and a value before them all would be the shortest.
alias Before = Total;

struct Before4 {
    x: Before,
    y: Before,
    z: Before,
    w: Before,
}

// As how many accumulators memory has it: the first run, and the rest.
const BEFORE_ACCS = 2u;

fn before_part(before: Before, i: u32) -> Acc {
    return acc_select(before.run, total_rest(before), i == 1u);
}

fn before_of(first: Acc, last: Acc) -> Before {
    return total_from(first, last);
}

// The level of what has no elements. No sequence has a run so long.
const LEVEL_OF_NOTHING = 63u;

fn is_nothing(run: Acc) -> bool {
    return run_level(run) == LEVEL_OF_NOTHING;
}

// Two halves of a run. Where the second one is nothing the first one stands for the whole: a run from before the launch, or nothing.
fn runs_merge(a: Acc, b: Acc) -> Acc {
    if is_nothing(b) {
        return run_copy(a);
    }
    return op_combine_any(a, b);
}

// Word by word, as DXC takes a copy of a struct for its source, whatever is stored there meanwhile.
fn run_copy(run: Acc) -> Acc {
    return op_unpack(op_pack(run));
}

fn before_first(job: Params) -> Before {
    return total_of(run_of_nothing());
}

// And a run that comes after it. What stands for nothing is never to the left of an element alone.
fn before_join(before: Before, run: Acc) -> Before {
    return before_step(before, run, run, false);
}

// The same with a run; or, if the run merges, it and its sibling on the left.
fn before_step(before: Before, sibling: Acc, run: Acc, merges: bool) -> Before {
    let own = total_of(run_copy(run));
    if !merges & is_nothing(before.run) {
        return own;
    }
    var total = before;
    if merges {
        total = own;
    }
    return total_join(total, acc_select(run, sibling, merges), merges);
}

fn before_run(before: Before) -> Acc {
    return total_run(before);
}

fn before_finish(before: Before, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_finish(before, len);
}
