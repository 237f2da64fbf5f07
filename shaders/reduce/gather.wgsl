// How a lane folds its vectors: it combines what it lifts.
@if(accs) fn gather_rows(gathered: Gathered, rows: Rows, round: u32) -> Gathered {
    let even = acc4_combine(items_lift(rows.row0), items_lift(rows.row2));
    let odd = acc4_combine(items_lift(rows.row1), items_lift(rows.row3));
    return acc4_combine(gathered, acc4_combine(even, odd));
}

// Where what a lane gathers of its vectors are accumulators.
@if(gathered_accs) alias Gathered = Acc4;

@if(gathered_accs) fn gather_start(rounds: Rounds) -> Gathered {
    return Acc4(op_identity(), op_identity(), op_identity(), op_identity());
}

@if(gathered_accs) fn gather_end(
    job: Params,
    gathered: Gathered,
    rounds: Rounds,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc4 {
    return gathered;
}

// As section accs, of counts of 64 bits: those of a round's elements fit 32 bits, so they carry once for all of them.
@if(counts) fn gather_rows(gathered: Gathered, rows: Rows, round: u32) -> Gathered {
    let even = items_count(rows.row0) + items_count(rows.row2);
    let odd = items_count(rows.row1) + items_count(rows.row3);
    return Acc4(op_combine(gathered.x, Acc(even + odd, 0u)), gathered.y, gathered.z, gathered.w);
}

// How a lane folds its vectors where an operator is told the elements' numbers: by the best keys, and which vectors have them. What
// is best in such a vector is found at the end, when it is loaded once more.
@if(places) alias Gathered = Leads;

@if(places) fn gather_start(rounds: Rounds) -> Gathered {
    return leads_start(4u * rounds.whole_begin);
}

@if(places) fn gather_rows(gathered: Gathered, rows: Rows, round: u32) -> Gathered {
    let first = leads_include(gathered, quad_unpack(rows.row0), 4u * round);
    let second = leads_include(first, quad_unpack(rows.row1), 4u * round + 1u);
    let third = leads_include(second, quad_unpack(rows.row2), 4u * round + 2u);
    return leads_include(third, quad_unpack(rows.row3), 4u * round + 3u);
}

@if(places) fn gather_end(
    job: Params,
    gathered: Gathered,
    rounds: Rounds,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc4 {
    var acc = op_identity();
    if rounds.whole_begin < rounds.whole_end {
        for (var i = 0u; i < LEADS; i++) {
            let at = place_of_vector(job, leads_vector(gathered, i), workgroup, invocation);
            let values = quad_unpack(items_at(job, at));
            acc = op_combine(acc, leads_place(gathered, i, values, number_of(job, at)));
        }
    }
    return Acc4(acc, op_identity(), op_identity(), op_identity());
}

// The position of a lane's vector of this number: there are four in each round of the job's block.
@if(places) fn place_of_vector(
    job: Params,
    vector: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> u32 {
    let team_size = team_size_of(workgroup);
    let team_begin = 16u * team_size * team_id_of(workgroup, invocation);
    let first = block_begin_of(job) + (vector >> 2u) * ROUND_ITEMS + team_begin;
    return vector_of_row(first, vector & 3u, team_lane_of(workgroup, invocation), team_size);
}
