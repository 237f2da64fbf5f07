// What memory has of the total of moments, extrema and where they are: beside the first run an accumulator that has the rest in members of
// the same types.

fn run_of_nothing() -> Acc {
    var run = op_identity();
    run.high_parts = LEVEL_OF_NOTHING;
    return run;
}

fn total_rest(total: Total) -> Acc {
    var rest = op_identity();
    rest.sum = total.drift;
    rest.squares = total.sum;
    rest.least_at = total.len.x;
    rest.largest_at = total.len.y;
    return rest;
}

fn total_from(run: Acc, rest: Acc) -> Total {
    return Total(run, rest.sum, rest.squares, vec2<u32>(rest.least_at, rest.largest_at));
}
