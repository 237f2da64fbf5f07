// A bit for each of a lane's elements of a round: four of each row. There are no branches, so that all loads are on their way at once.
fn flags_of(job: Params, places: Places, items: Items) -> u32 {
    return row_flags(job, places, 0u, items.row0)
        | (row_flags(job, places, 4u, items.row1) << 4u)
        | (row_flags(job, places, 8u, items.row2) << 8u)
        | (row_flags(job, places, 12u, items.row3) << 12u);
}

// Four bits, of which those from the block's end on are 0.
fn row_flags(job: Params, places: Places, i: u32, items: Four) -> u32 {
    let all = vec4<u32>(place_at(places, i)) + vec4<u32>(0u, 1u, 2u, 3u) * places.step;
    return flags4_at(job, four_places(places, i), items) & bits_of(all < vec4<u32>(places.end));
}

fn bits_of(flags: vec4<bool>) -> u32 {
    let bits = select(vec4<u32>(), vec4<u32>(1u, 2u, 4u, 8u), flags);
    return bits.x | bits.y | bits.z | bits.w;
}
