// What a workgroup takes of a launch: a block, round by round.

fn block_begin_of(job: Params) -> u32 {
    return job.block << job.log2_block_items;
}

fn block_end_of(job: Params) -> u32 {
    return min(job.end, (job.block + 1u) << job.log2_block_items);
}

// What a lane has of a round: four neighbours in each of four rows. The first one's position, how many positions a row is from the next
// one, and where the block ends.
struct Places {
    first: u32,
    row_items: u32,
    end: u32,
}

fn place_at(places: Places, i: u32) -> u32 {
    return places.first + (i >> 2u) * places.row_items + (i & 3u);
}

// Four neighbours: their words, and their second words if they have two.
struct Neighbours {
    low: vec4<u32>,
    high: vec4<u32>,
}

// A lane's elements of a round, by row.
struct Items {
    row0: Neighbours,
    row1: Neighbours,
    row2: Neighbours,
    row3: Neighbours,
}

fn items_at(job: Params, places: Places) -> Items {
    return Items(
        neighbours_at(job, places.first, places.end),
        neighbours_at(job, places.first + places.row_items, places.end),
        neighbours_at(job, places.first + 2u * places.row_items, places.end),
        neighbours_at(job, places.first + 3u * places.row_items, places.end),
    );
}
