// Items of a lane: the bits of floats, so that no device flushes one that is kept in a variable.
alias Items = array<u32, ITEMS_PER_LANE>;

fn kept_pack(value: u32) -> array<u32, ITEM_WORDS> {
    return array<u32, ITEM_WORDS>(value);
}

fn kept_unpack(packed: array<u32, ITEM_WORDS>) -> u32 {
    return packed[0];
}
