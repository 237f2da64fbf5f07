// An element is flagged where a run of equal elements begins, as in heads.wgsl. Elements are compared where they are in memory, word by word. Of the
// parameters `log2_span` is how many words one has.

const FLAGS_LOOK_AT_ITEMS = true;
const FLAGS_LOOK_AT_HIGH_WORDS = false;

fn flags4_at(job: Params, four: vec4<u32>, items: Four) -> u32 {
    let differ = vec4<bool>(
        item_differs(job, four.x, items.low.x),
        item_differs(job, four.y, items.low.y),
        item_differs(job, four.z, items.low.z),
        item_differs(job, four.w, items.low.w),
    );
    let is_first = (four.x == 0u) & ((job.flags & FLAG_RESUMES) == 0u);
    return bits_of(differ) | select(0u, 1u, is_first);
}

// Whether the element at a position, which begins at a word, is another than the one before it.
fn item_differs(job: Params, at: u32, first: u32) -> bool {
    let before = item_word(job, max(at, 1u) - 1u, 0u);
    var differing = 0u;
    for (var word = 0u; word < job.log2_span; word++) {
        let other = select(input_words[before + word], entries[job.state_before][word], at == 0u);
        differing |= input_words[first + word] ^ other;
    }
    return differing != 0u;
}

// The next launch looks at the last element of this one.
fn last_item_leave(job: Params) {
    let last = item_word(job, job.end - 1u, 0u);
    for (var word = 0u; word < job.log2_span; word++) {
        entries[job.state_after][word] = input_words[last + word];
    }
}
