// An element is flagged where a run of equal elements begins: it is the first of all, or another than the one before it.

@if(words) const FLAGS_LOOK_AT_ITEMS = true;
@if(words) const FLAGS_LOOK_AT_HIGH_WORDS = false;

@if(words) fn flags4_at(job: Params, four: vec4<u32>, items: Four) -> u32 {
    var differ = items.low != words_before(job, four, items.low, 0u);
    if ITEM_WORDS == 2u {
        differ = differ | (items.high != words_before(job, four, items.high, 1u));
    }
    let is_first = (four.x == 0u) & ((job.flags & FLAG_RESUMES) == 0u);
    return bits_of(differ) | select(0u, 1u, is_first);
}

// The words of the elements before four.
@if(words) fn words_before(job: Params, four: vec4<u32>, words: vec4<u32>, word: u32) -> vec4<u32> {
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

@if(words) fn word_before(job: Params, at: u32, word: u32) -> u32 {
    let before = item_word(job, max(at, 1u) - 1u, word);
    return select(before, entries[job.last_item_before][word], at == 0u);
}

// The next launch looks at the last element of this one.
@if(words) fn last_item_leave(job: Params) {
    for (var word = 0u; word < ITEM_WORDS; word++) {
        entries[job.last_item][word] = item_word(job, job.end - 1u, word);
    }
}

// An element is flagged where a run of equal elements begins, as in section words. Elements are compared where they are in memory, word by word.

@if(components) const FLAGS_LOOK_AT_ITEMS = true;
@if(components) const FLAGS_LOOK_AT_HIGH_WORDS = false;

@if(components) fn flags4_at(job: Params, four: vec4<u32>, items: Four) -> u32 {
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
@if(components) fn item_differs(job: Params, at: u32, first: u32) -> bool {
    let before = item_word(job, max(at, 1u) - 1u, 0u);
    var differing = 0u;
    for (var word = 0u; word < job.item_words; word++) {
        let other = select(input_words[before + word], entries[job.last_item_before][word], at == 0u);
        differing |= input_words[first + word] ^ other;
    }
    return differing != 0u;
}

// The next launch looks at the last element of this one.
@if(components) fn last_item_leave(job: Params) {
    let last = item_word(job, job.end - 1u, 0u);
    for (var word = 0u; word < job.item_words; word++) {
        entries[job.last_item][word] = input_words[last + word];
    }
}
