// What a predicate of elements of one word is given.

const FLAGS_LOOK_AT_HIGH_WORDS = false;

fn map_checked_of(low: u32, high: u32, index: u32) -> Mapped {
    return map_checked(low, low, index);
}

fn map_any_of(low: u32, high: u32, index: u32) -> bool {
    return map_any(low, low, index).bits != 0u;
}

// There is none.
fn item_high(job: Params, at: u32) -> u32 {
    return 0u;
}
