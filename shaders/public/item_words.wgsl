// Any number of words: as many as were asked for.
const ITEM_WORDS = 5u;

alias Item = array<u32, ITEM_WORDS>;

fn item_pack(value: Item) -> array<u32, ITEM_WORDS> {
    return value;
}

fn item_unpack(packed: array<u32, ITEM_WORDS>) -> Item {
    return packed;
}
