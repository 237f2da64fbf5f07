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
