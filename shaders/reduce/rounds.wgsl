// How a workgroup goes through a block: in rounds of four vectors for each lane. Rounds that can be loaded whole are in
// the middle, those with an edge of the launch before and after them.

struct Rounds {
    // Rounds of the block that have elements of the launch.
    begin: u32,
    end: u32,
    // Those in which all elements are there, and can be loaded four at a time.
    whole_begin: u32,
    whole_end: u32,
}

fn block_begin_of(job: Params) -> u32 {
    return job.block << job.log2_block_items;
}

fn rounds_of(job: Params) -> Rounds {
    let block_begin = block_begin_of(job);
    let block_items = 1u << job.log2_block_items;
    let begin = max(job.begin, block_begin) - block_begin;
    let end = min(job.end - block_begin, block_items);
    let vec_end = min(max(job.vec_end, block_begin) - block_begin, end);
    let round_end = (end + ROUND_ITEMS - 1u) >> LOG2_ROUND_ITEMS;
    let whole_begin = min((begin + ROUND_ITEMS - 1u) >> LOG2_ROUND_ITEMS, round_end);
    let whole_end = max(vec_end >> LOG2_ROUND_ITEMS, whole_begin);
    return Rounds(begin >> LOG2_ROUND_ITEMS, round_end, whole_begin, whole_end);
}

// How many rounds have an edge.
fn edge_count(rounds: Rounds) -> u32 {
    return rounds.whole_begin - rounds.begin + (rounds.end - rounds.whole_end);
}

fn edge_round(rounds: Rounds, i: u32) -> u32 {
    let round = rounds.begin + i;
    return select(round, round + (rounds.whole_end - rounds.whole_begin), round >= rounds.whole_begin);
}

// What lanes have of a round.

// Four vectors of a lane.
@if(rows) struct Rows {
    row0: Items,
    row1: Items,
    row2: Items,
    row3: Items,
}

// A lane's vectors of the round at a position. Those of its team follow on those of the team before.
@if(rows) fn round_load(
    job: Params,
    at: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Rows {
    return tile_load(job, at, team_id_of(workgroup, invocation), workgroup, invocation);
}

// A lane's vectors of what a team has of the round at a position.
@if(rows) fn tile_load(
    job: Params,
    at: u32,
    team: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Rows {
    let team_size = team_size_of(workgroup);
    let team_lane = team_lane_of(workgroup, invocation);
    return rows_at(job, at + 16u * team_size * team, team_lane, team_size);
}

// Rows whose vectors neighbouring lanes have.
@if(rows_apart) fn rows_at(job: Params, first: u32, team_lane: u32, team_size: u32) -> Rows {
    return Rows(
        items_at(job, vector_of_row(first, 0u, team_lane, team_size)),
        items_at(job, vector_of_row(first, 1u, team_lane, team_size)),
        items_at(job, vector_of_row(first, 2u, team_lane, team_size)),
        items_at(job, vector_of_row(first, 3u, team_lane, team_size)),
    );
}

// The position of a lane's vector of a row.
@if(rows_apart) fn vector_of_row(first: u32, row: u32, team_lane: u32, team_size: u32) -> u32 {
    return first + 4u * tile_index(row, team_lane, team_size);
}

// Where the order is free, a lane's four vectors of narrow elements are neighbours, so that it loads sixteen bytes at a time.
@if(rows_together) fn rows_at(job: Params, first: u32, team_lane: u32, team_size: u32) -> Rows {
    let packs = packs_load(vector_of_row(first, 0u, team_lane, team_size) + job.base);
    return Rows(packs[0], packs[1], packs[2], packs[3]);
}

// The position of a lane's vector of a row.
@if(rows_together) fn vector_of_row(first: u32, row: u32, team_lane: u32, team_size: u32) -> u32 {
    return first + 16u * team_lane + 4u * row;
}
