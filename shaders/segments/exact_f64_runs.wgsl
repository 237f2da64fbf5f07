// What segments of f64s have in no chunk, for exact sums.

// The lane's sum with what a level has in no chunk.
fn digit_join(job: Params, own: Segment, level: u32, totals: u32, before: Total, begins: bool) -> Total {
    let digit = own.count % CHUNK_ITEMS;
    return run_add(job, own, level, totals, own.count - digit, digit, before);
}

// Nothing is quicker for a few elements, but of no elements nothing is left to do.
struct Few {
    total: Total,
    is_right: bool,
}

const FEW = 0u;

fn few_total(job: Params, own: Segment) -> Few {
    return Few(total_of(op_identity()), true);
}
