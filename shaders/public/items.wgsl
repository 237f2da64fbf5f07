// Items of a lane: as many as were asked for.
alias Items = array<Item, ITEMS_PER_LANE>;

fn kept_pack(value: Item) -> vec4<u32> {
    return item_pack(value);
}

fn kept_unpack(packed: vec4<u32>) -> Item {
    return item_unpack(packed);
}
