// Rows whose vectors neighbouring lanes have.
fn rows_at(job: Params, first: u32, team_lane: u32, team_size: u32) -> Rows {
    return Rows(
        items_at(job, vector_of_row(first, 0u, team_lane, team_size)),
        items_at(job, vector_of_row(first, 1u, team_lane, team_size)),
        items_at(job, vector_of_row(first, 2u, team_lane, team_size)),
        items_at(job, vector_of_row(first, 3u, team_lane, team_size)),
    );
}

// The position of a lane's vector of a row.
fn vector_of_row(first: u32, row: u32, team_lane: u32, team_size: u32) -> u32 {
    return first + 4u * tile_index(row, team_lane, team_size);
}
