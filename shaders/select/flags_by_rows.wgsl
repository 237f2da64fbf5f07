// A bit for each of a lane's elements of a round: four of each row.
fn flags_of(job: Params, places: Places, items: Items) -> u32 {
    let first = places.first;
    let second = first + places.row_items;
    let third = second + places.row_items;
    let fourth = third + places.row_items;
    return row_flags(job, first, places.end, items.row0)
        | (row_flags(job, second, places.end, items.row1) << 4u)
        | (row_flags(job, third, places.end, items.row2) << 8u)
        | (row_flags(job, fourth, places.end, items.row3) << 12u);
}

// Four bits, of which those from the block's end on are 0.
fn row_flags(job: Params, at: u32, end: u32, neighbours: Neighbours) -> u32 {
    if at >= end {
        return 0u;
    }
    let there = 0xfu >> (4u - min(end - at, 4u));
    return flags4_at(job, at, min(at + 3u, end - 1u), neighbours) & there;
}
