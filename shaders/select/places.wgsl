// What a workgroup takes of a launch: a block, round by round.

fn block_begin_of(job: Params) -> u32 {
    return job.block << job.log2_block_items;
}

fn block_end_of(job: Params) -> u32 {
    return min(job.end, (job.block + 1u) << job.log2_block_items);
}

// What a lane has of a round: four elements in each of four rows. The first one's position, how far a row is from the next one, and an
// element of a row from the next one, and where the block ends.
struct Places {
    first: u32,
    row_step: u32,
    step: u32,
    end: u32,
}

fn place_at(places: Places, i: u32) -> u32 {
    return places.first + (i >> 2u) * places.row_step + (i & 3u) * places.step;
}

// Four elements of a row: their words, and their second words if they have two.
struct Four {
    low: vec4<u32>,
    high: vec4<u32>,
}

// A lane's elements of a round, by row.
struct Items {
    row0: Four,
    row1: Four,
    row2: Four,
    row3: Four,
}

fn items_at(job: Params, places: Places) -> Items {
    return Items(
        four_at(job, places, 0u),
        four_at(job, places, 4u),
        four_at(job, places, 8u),
        four_at(job, places, 12u),
    );
}

// The positions of four, of which those from the block's end on are the last one before it.
fn four_places(places: Places, i: u32) -> vec4<u32> {
    return min(vec4<u32>(place_at(places, i)) + vec4<u32>(0u, 1u, 2u, 3u) * places.step, vec4<u32>(places.end - 1u));
}

// Lanes that are next to each other have neighbours: what they load at once is together in memory.

@if(apart) const ARE_TOGETHER = false;

// Those of a lane of a team, which has 16 elements of a round for each of its lanes.
@if(apart) fn places_of(begin: u32, end: u32, team_lanes: u32, lane: u32) -> Places {
    return Places(begin + lane, 4u * team_lanes, team_lanes, end);
}

// Each of a lane's rows is of four neighbours.

@if(together) const ARE_TOGETHER = true;

// Those of a lane of a team, which has 16 elements of a round for each of its lanes.
@if(together) fn places_of(begin: u32, end: u32, team_lanes: u32, lane: u32) -> Places {
    return Places(begin + 4u * lane, 4u * team_lanes, 1u, end);
}

// Positions, and numbers of items: 64 bits each, the lower half first.

// Words of a position or a length that is written.
@if(positions) fn number_words(job: Params) -> u32 {
    return select(2u, 1u, (job.flags & FLAG_HAS_SHORT_NUMBERS) != 0u);
}

@if(positions) fn position_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

@if(positions) fn position_subtract(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// A position of the launch as one of the whole sequence.
@if(positions) fn position_of(job: Params, at: u32) -> vec2<u32> {
    return position_add(vec2<u32>(job.position_low, job.position_high), vec2<u32>(at, 0u));
}
