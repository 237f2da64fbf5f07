// An element is flagged where an expression of the user's is true. Elements are of one word.

fn flags_of(job: Params, round: u32, end: u32, lane_index: u32) -> u32 {
    var flags = 0u;
    // Elements of which the device may be wrong.
    var unsure = 0u;
    for (var i = 0u; i < 16u; i++) {
        let at = at_of(round, lane_index, i);
        if at < end {
            let word = item_word(job, at, 0u);
            let quick = map_quick(word, word, index_of(job, at));
            flags |= select(0u, 1u << i, quick.is_right && quick.word != 0u);
            unsure |= select(1u << i, 0u, quick.is_right);
        }
    }
    if unsure != 0u {
        // What is right in any case is long. So there is one of it, in a loop with a bound that compilers do not know, as they do not know
        // that this is 0.
        for (var i = 0u; i < 16u + params.zero; i++) {
            if ((unsure >> (i & 31u)) & 1u) != 0u {
                let at = at_of(round, lane_index, i);
                let word = item_word(job, at, 0u);
                flags |= select(0u, 1u << (i & 31u), map_any(word, word, index_of(job, at)) != 0u);
            }
        }
    }
    return flags;
}

// The place of an element in the whole sequence, modulo 2^32.
fn index_of(job: Params, at: u32) -> u32 {
    return job.initial_low + at;
}

// The next launch looks at nothing of this one.
fn last_item_leave(job: Params) {}
