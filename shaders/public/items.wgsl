// Items of a lane: as many as were asked for.
alias Items = array<Item, ITEMS_PER_LANE>;

fn kept_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return item_pack(value);
}

fn kept_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return item_unpack(packed);
}
