// An element is flagged where an expression of the user's is true. Elements are of one word.

const FLAGS_LOOK_AT_ITEMS = true;

fn flags_of(job: Params, places: Places, items: Items) -> u32 {
    let first = row_flags(job, places, 0u, items.row0.low);
    let second = row_flags(job, places, 4u, items.row1.low);
    let third = row_flags(job, places, 8u, items.row2.low);
    let fourth = row_flags(job, places, 12u, items.row3.low);
    var flags = first.x | second.x | third.x | fourth.x;
    let unsure = first.y | second.y | third.y | fourth.y;
    if unsure != 0u {
        // What is right in any case is long. So there is one of it, in a loop with a bound that compilers do not know, as they do not know
        // that this is 0.
        for (var i = 0u; i < 16u + params.zero; i++) {
            if ((unsure >> (i & 31u)) & 1u) != 0u {
                let at = place_at(places, i);
                let word = item_word(job, at, 0u);
                flags |= select(0u, 1u << (i & 31u), map_any(word, word, index_of(job, at)) != 0u);
            }
        }
    }
    return flags;
}

// Four bits of elements for which the predicate is true, and four of those of which the device may be wrong. The first of them is bit `i`.
fn row_flags(job: Params, places: Places, i: u32, words: vec4<u32>) -> vec2<u32> {
    return item_flags(job, places, i, words.x)
        | item_flags(job, places, i + 1u, words.y)
        | item_flags(job, places, i + 2u, words.z)
        | item_flags(job, places, i + 3u, words.w);
}

fn item_flags(job: Params, places: Places, i: u32, word: u32) -> vec2<u32> {
    let at = place_at(places, i);
    let quick = map_quick(word, word, index_of(job, at));
    let flags = vec2<u32>(select(0u, 1u, quick.is_right && quick.word != 0u), select(1u, 0u, quick.is_right));
    return select(vec2<u32>(), flags << vec2<u32>(i), at < places.end);
}

// The place of an element in the whole sequence, modulo 2^32.
fn index_of(job: Params, at: u32) -> u32 {
    return job.initial_low + at;
}

// The next launch looks at nothing of this one.
fn last_item_leave(job: Params) {}
