// Lanes that are next to each other have neighbours: what they load at once is together in memory.

const ARE_TOGETHER = false;

// Those of a lane of a team, which has 16 elements of a round for each of its lanes.
fn places_of(begin: u32, end: u32, team_lanes: u32, lane: u32) -> Places {
    return Places(begin + lane, 4u * team_lanes, team_lanes, end);
}
