// How a lane folds its vectors where an operator is told the elements' numbers: by the best keys, and which vectors have them. What
// is best in such a vector is found at the end, when it is loaded once more.
alias Gathered = Leads;

fn gather_start(rounds: Rounds) -> Gathered {
    return leads_start(4u * rounds.whole_begin);
}

fn gather_rows(gathered: Gathered, rows: Rows, round: u32) -> Gathered {
    let first = leads_include(gathered, quad_unpack(rows.row0), 4u * round);
    let second = leads_include(first, quad_unpack(rows.row1), 4u * round + 1u);
    let third = leads_include(second, quad_unpack(rows.row2), 4u * round + 2u);
    return leads_include(third, quad_unpack(rows.row3), 4u * round + 3u);
}

fn gather_end(
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
fn place_of_vector(
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
