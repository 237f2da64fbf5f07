// An element is flagged where a run of equal elements begins: it is the first of all, or another than the one before it.

fn flag_at(job: Params, at: u32) -> bool {
    var differs = at == 0u && (job.flags & FLAG_RESUMES) == 0u;
    for (var word = 0u; word < ITEM_WORDS; word++) {
        differs = differs || item_word(job, at, word) != word_before(job, at, word);
    }
    return differs;
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
