// What a predicate of elements of two words is given.

const FLAGS_LOOK_AT_HIGH_WORDS = true;

fn map_checked_of(low: u32, high: u32, index: u32) -> Mapped {
    let bits = vec2<u32>(low, high);
    return map_checked(bits, bits, index);
}

fn map_any_of(low: u32, high: u32, index: u32) -> bool {
    let bits = vec2<u32>(low, high);
    return map_any(bits, bits, index).bits != 0u;
}

fn item_high(job: Params, at: u32) -> u32 {
    return item_word(job, at, 1u);
}
