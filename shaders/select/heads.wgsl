// An element is flagged where a run of equal elements begins: it is the first of all, or another than the one before it.

const FLAGS_LOOK_AT_ITEMS = true;
const FLAGS_LOOK_AT_HIGH_WORDS = false;

fn flags4_at(job: Params, four: vec4<u32>, items: Four) -> u32 {
    var differ = items.low != words_before(job, four, items.low, 0u);
    if ITEM_WORDS == 2u {
        differ = differ | (items.high != words_before(job, four, items.high, 1u));
    }
    let is_first = (four.x == 0u) & ((job.flags & FLAG_RESUMES) == 0u);
    return bits_of(differ) | select(0u, 1u, is_first);
}

// The words of the elements before four.
fn words_before(job: Params, four: vec4<u32>, words: vec4<u32>, word: u32) -> vec4<u32> {
    let before = word_before(job, four.x, word);
    if ARE_TOGETHER {
        return vec4<u32>(before, words.xyz);
    }
    let others = max(four.yzw, vec3<u32>(1u)) - 1u;
    return vec4<u32>(
        before,
        item_word(job, others.x, word),
        item_word(job, others.y, word),
        item_word(job, others.z, word),
    );
}

fn word_before(job: Params, at: u32, word: u32) -> u32 {
    let before = item_word(job, max(at, 1u) - 1u, word);
    return select(before, entries[job.state_before][word], at == 0u);
}

// The next launch looks at the last element of this one.
fn last_item_leave(job: Params) {
    for (var word = 0u; word < ITEM_WORDS; word++) {
        entries[job.state_after][word] = item_word(job, job.end - 1u, word);
    }
}
