// A bit for each of a lane's elements of a round: four of each row. Each is asked by itself.
fn flags_of(job: Params, round: u32, end: u32, lane_index: u32) -> u32 {
    var flags = 0u;
    for (var i = 0u; i < 16u; i++) {
        let at = at_of(round, lane_index, i);
        if at < end && flag_at(job, at) {
            flags |= 1u << i;
        }
    }
    return flags;
}
