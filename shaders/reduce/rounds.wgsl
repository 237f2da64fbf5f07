// How a workgroup goes through a block: in rounds of four vectors for each lane. Rounds that can be loaded whole are in
// the middle, those with an edge of the launch before and after them.

struct Rounds {
    // Rounds of the block that have elements of the launch.
    begin: u32,
    end: u32,
    // Those in which all elements are there, and can be loaded four at a time.
    whole_begin: u32,
    whole_end: u32,
}

fn block_begin_of(job: Params) -> u32 {
    return job.block << job.log2_block_items;
}

fn rounds_of(job: Params) -> Rounds {
    let block_begin = block_begin_of(job);
    let block_items = 1u << job.log2_block_items;
    let begin = max(job.begin, block_begin) - block_begin;
    let end = min(job.end - block_begin, block_items);
    let vec_end = min(max(job.vec_end, block_begin) - block_begin, end);
    let round_end = (end + ROUND_ITEMS - 1u) >> LOG2_ROUND_ITEMS;
    let whole_begin = min((begin + ROUND_ITEMS - 1u) >> LOG2_ROUND_ITEMS, round_end);
    let whole_end = max(vec_end >> LOG2_ROUND_ITEMS, whole_begin);
    return Rounds(begin >> LOG2_ROUND_ITEMS, round_end, whole_begin, whole_end);
}

// How many rounds have an edge.
fn edge_count(rounds: Rounds) -> u32 {
    return rounds.whole_begin - rounds.begin + (rounds.end - rounds.whole_end);
}

fn edge_round(rounds: Rounds, i: u32) -> u32 {
    let round = rounds.begin + i;
    return select(round, round + (rounds.whole_end - rounds.whole_begin), round >= rounds.whole_begin);
}
