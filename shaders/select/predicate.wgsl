// An element is flagged where an expression of the user's is true.

const FLAGS_LOOK_AT_ITEMS = true;

fn flags_of(job: Params, places: Places, items: Items) -> u32 {
    let first = row_flags(job, places, 0u, items.row0.low, items.row0.high);
    let second = row_flags(job, places, 4u, items.row1.low, items.row1.high);
    let third = row_flags(job, places, 8u, items.row2.low, items.row2.high);
    let fourth = row_flags(job, places, 12u, items.row3.low, items.row3.high);
    var flags = first.x | second.x | third.x | fourth.x;
    let unsure = first.y | second.y | third.y | fourth.y;
    if unsure != 0u {
        // What is right in any case is long. So there is one of it, in a loop with a bound that compilers do not know, as they do not know
        // that this is 0.
        let nothing = nothing_of(params);
        for (var i = 0u; i < 16u + nothing; i++) {
            if ((unsure >> (i & 31u)) & 1u) != 0u {
                let at = place_at(places, i);
                let low = item_word(job, at, 0u);
                let is_flagged = map_any_of(low, item_high(job, at), index_of(job, at));
                flags |= select(0u, 1u << (i & 31u), is_flagged);
            }
        }
    }
    return flags;
}

// Four bits of elements for which the predicate is true, and four of those of which the device may be wrong. The first of them is bit `i`.
fn row_flags(job: Params, places: Places, i: u32, low: vec4<u32>, high: vec4<u32>) -> vec2<u32> {
    return item_flags(job, places, i, low.x, high.x)
        | item_flags(job, places, i + 1u, low.y, high.y)
        | item_flags(job, places, i + 2u, low.z, high.z)
        | item_flags(job, places, i + 3u, low.w, high.w);
}

fn item_flags(job: Params, places: Places, i: u32, low: u32, high: u32) -> vec2<u32> {
    let at = place_at(places, i);
    let checked = map_checked_of(low, high, index_of(job, at));
    let flags = vec2<u32>(select(0u, 1u, checked.is_right & (checked.bits != 0u)), select(1u, 0u, checked.is_right));
    return select(vec2<u32>(), flags << vec2<u32>(i), at < places.end);
}

// The place of an element in the whole sequence, modulo 2^32.
fn index_of(job: Params, at: u32) -> u32 {
    return job.position_low + at;
}

// The next launch looks at nothing of this one.
fn last_item_leave(job: Params) {}

// What a predicate of elements of one word is given.

@if(word) const FLAGS_LOOK_AT_HIGH_WORDS = false;

@if(word) fn map_checked_of(low: u32, high: u32, index: u32) -> Mapped {
    return map_checked(low, low, index);
}

@if(word) fn map_any_of(low: u32, high: u32, index: u32) -> bool {
    return map_any(low, low, index).bits != 0u;
}

// There is none.
@if(word) fn item_high(job: Params, at: u32) -> u32 {
    return 0u;
}

// What a predicate of elements of two words is given.

@if(two_words) const FLAGS_LOOK_AT_HIGH_WORDS = true;

@if(two_words) fn map_checked_of(low: u32, high: u32, index: u32) -> Mapped {
    let bits = vec2<u32>(low, high);
    return map_checked(bits, bits, index);
}

@if(two_words) fn map_any_of(low: u32, high: u32, index: u32) -> bool {
    let bits = vec2<u32>(low, high);
    return map_any(bits, bits, index).bits != 0u;
}

@if(two_words) fn item_high(job: Params, at: u32) -> u32 {
    return item_word(job, at, 1u);
}

// What a predicate of elements of less than a word is given: what they are widened to.

@if(parts) const FLAGS_LOOK_AT_HIGH_WORDS = false;

@if(parts) fn widened(part: u32) -> u32 {
    let tops = vec4<u32>(part << (32u - 8u * ITEM_BYTES));
    return elem_to_word(elems_of_tops(tops).x);
}

@if(parts) fn map_checked_of(low: u32, high: u32, index: u32) -> Mapped {
    let bits = widened(low);
    return map_checked(bits, bits, index);
}

@if(parts) fn map_any_of(low: u32, high: u32, index: u32) -> bool {
    let bits = widened(low);
    return map_any(bits, bits, index).bits != 0u;
}

// There is none.
@if(parts) fn item_high(job: Params, at: u32) -> u32 {
    return 0u;
}
