// What is before a place, for operators whose totals are accumulators, as runs are: the initial value counts as the first run.
@if(acc) alias Before = Acc;
@if(acc) alias Before4 = Acc4;

// As how many accumulators memory has it.
@if(acc) const BEFORE_ACCS = 1u;

@if(acc) fn before_part(before: Before, i: u32) -> Acc {
    return before;
}

@if(acc) fn before_of(first: Acc, last: Acc) -> Before {
    return first;
}

// Where nothing stands.
@if(acc) fn run_of_nothing() -> Acc {
    return op_identity();
}

// Two halves of a run.
@if(acc) fn runs_merge(a: Acc, b: Acc) -> Acc {
    return op_combine_any(a, b);
}

@if(acc) fn before_first(job: Params) -> Before {
    return initial_acc(job);
}

// And a run that comes after it.
@if(acc) fn before_join(before: Before, run: Acc) -> Before {
    return op_combine_any(before, run);
}

// The same; or, if the run merges, it and its sibling on the left.
@if(acc) fn before_step(before: Before, sibling: Acc, run: Acc, merges: bool) -> Before {
    return op_combine_any(acc_select(before, sibling, merges), run);
}

@if(acc) fn before_run(before: Before) -> Acc {
    return before;
}

@if(acc) fn before_finish(before: Before, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_finish(before, len);
}

// What memory has of the total of a variance.

@if(moments) fn run_of_nothing() -> Acc {
    return run_of(MOMENT_ZERO, MOMENT_ZERO, LEVEL_OF_NOTHING);
}

@if(moments) fn total_rest(total: Total) -> Acc {
    return run_of(total.drift, MOMENT_ZERO, 0u);
}

@if(moments) fn total_from(run: Acc, rest: Acc) -> Total {
    return Total(run, run_sum(rest));
}

// What memory has of the total of moments, extrema and where they are: beside the first run an accumulator that has the rest in members of
// the same types.

@if(moments_and_places) fn run_of_nothing() -> Acc {
    var run = op_identity();
    run.high_parts = LEVEL_OF_NOTHING;
    return run;
}

@if(moments_and_places) fn total_rest(total: Total) -> Acc {
    var rest = op_identity();
    rest.sum = total.drift;
    rest.squares = total.sum;
    rest.least_at = total.len.x;
    rest.largest_at = total.len.y;
    return rest;
}

@if(moments_and_places) fn total_from(run: Acc, rest: Acc) -> Total {
    return Total(run, rest.sum, rest.squares, vec2<u32>(rest.least_at, rest.largest_at));
}

// What is before a place, for operators whose runs come to something else than a run. There is no initial value: runs come the longest
// first, and a value before them all would be the shortest.
@if(total) alias Before = Total;

@if(total) struct Before4 {
    x: Before,
    y: Before,
    z: Before,
    w: Before,
}

// As how many accumulators memory has it: the first run, and the rest.
@if(total) const BEFORE_ACCS = 2u;

@if(total) fn before_part(before: Before, i: u32) -> Acc {
    return acc_select(before.run, total_rest(before), i == 1u);
}

@if(total) fn before_of(first: Acc, last: Acc) -> Before {
    return total_from(first, last);
}

// The level of what has no elements. No sequence has a run so long.
@if(total) const LEVEL_OF_NOTHING = 63u;

@if(total) fn is_nothing(run: Acc) -> bool {
    return run_level(run) == LEVEL_OF_NOTHING;
}

// Two halves of a run. Where the second one is nothing the first one stands for the whole: a run from before the launch, or nothing.
@if(total) fn runs_merge(a: Acc, b: Acc) -> Acc {
    if is_nothing(b) {
        return run_copy(a);
    }
    return op_combine_any(a, b);
}

// Word by word, as DXC takes a copy of a struct for its source, whatever is stored there meanwhile.
@if(total) fn run_copy(run: Acc) -> Acc {
    return op_unpack(op_pack(run));
}

@if(total) fn before_first(job: Params) -> Before {
    return total_of(run_of_nothing());
}

// And a run that comes after it. What stands for nothing is never to the left of an element alone.
@if(total) fn before_join(before: Before, run: Acc) -> Before {
    return before_step(before, run, run, false);
}

// The same with a run; or, if the run merges, it and its sibling on the left.
@if(total) fn before_step(before: Before, sibling: Acc, run: Acc, merges: bool) -> Before {
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

@if(total) fn before_run(before: Before) -> Acc {
    return total_run(before);
}

@if(total) fn before_finish(before: Before, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return op_finish(before, len);
}
