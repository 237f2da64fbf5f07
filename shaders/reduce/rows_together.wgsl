// Where the order is free, a lane's four vectors of narrow elements are neighbours, so that it loads sixteen bytes at a time.
fn rows_at(job: Params, first: u32, team_lane: u32, team_size: u32) -> Rows {
    let packs = packs_load(vector_of_row(first, 0u, team_lane, team_size) + job.base);
    return Rows(packs[0], packs[1], packs[2], packs[3]);
}

// The position of a lane's vector of a row.
fn vector_of_row(first: u32, row: u32, team_lane: u32, team_size: u32) -> u32 {
    return first + 16u * team_lane + 4u * row;
}
