// What a predicate of elements of less than a word is given: what they are widened to.

const FLAGS_LOOK_AT_HIGH_WORDS = false;

fn widened(part: u32) -> u32 {
    let tops = vec4<u32>(part << (32u - 8u * ITEM_BYTES));
    return elem_to_word(elems_of_tops(tops).x);
}

fn map_checked_of(low: u32, high: u32, index: u32) -> Mapped {
    let bits = widened(low);
    return map_checked(bits, bits, index);
}

fn map_any_of(low: u32, high: u32, index: u32) -> bool {
    let bits = widened(low);
    return map_any(bits, bits, index).bits != 0u;
}

// There is none.
fn item_high(job: Params, at: u32) -> u32 {
    return 0u;
}
