// What lanes have of a round.

// Four vectors of a lane.
struct Rows {
    row0: Items,
    row1: Items,
    row2: Items,
    row3: Items,
}

// A lane's vectors of the round at a position. Those of its team follow on those of the team before.
fn round_load(
    job: Params,
    at: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Rows {
    return tile_load(job, at, team_id_of(workgroup, invocation), workgroup, invocation);
}

// A lane's vectors of what a team has of the round at a position.
fn tile_load(
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
