// An element is flagged where a run of equal elements begins: it is the first of all, or another than the one before it.

const FLAGS_LOOK_AT_ITEMS = true;

fn flags4_at(job: Params, at: u32, last: u32, neighbours: Neighbours) -> u32 {
    let low = neighbours.low;
    var differ = low != vec4<u32>(word_before(job, at, 0u), low.xyz);
    if ITEM_WORDS == 2u {
        let high = neighbours.high;
        differ = differ | (high != vec4<u32>(word_before(job, at, 1u), high.xyz));
    }
    let bits = select(vec4<u32>(), vec4<u32>(1u, 2u, 4u, 8u), differ);
    let is_first = at == 0u && (job.flags & FLAG_RESUMES) == 0u;
    return bits.x | bits.y | bits.z | bits.w | select(0u, 1u, is_first);
}

fn word_before(job: Params, at: u32, word: u32) -> u32 {
    if at == 0u {
        return entries[job.state_before][word];
    }
    return item_word(job, at - 1u, word);
}

// The next launch looks at the last element of this one.
fn last_item_leave(job: Params) {
    for (var word = 0u; word < ITEM_WORDS; word++) {
        entries[job.state_after][word] = item_word(job, job.end - 1u, word);
    }
}
