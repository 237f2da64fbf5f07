// Items of a lane: the bits of floats, so that no device flushes one that is kept in a variable.
alias Items = array<u32, ITEMS_PER_LANE>;

fn kept_pack(value: u32) -> vec4<u32> {
    return vec4<u32>(value, 0u, 0u, 0u);
}

fn kept_unpack(packed: vec4<u32>) -> u32 {
    return packed.x;
}
