// Each of a lane's rows is of four neighbours.

const ARE_TOGETHER = true;

// Those of a lane of a team, which has 16 elements of a round for each of its lanes.
fn places_of(begin: u32, end: u32, team_lanes: u32, lane: u32) -> Places {
    return Places(begin + 4u * lane, 4u * team_lanes, 1u, end);
}
