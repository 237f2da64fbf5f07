// The value of another lane of the subgroup, word by word.
fn item_of_lane(value: Item, lane: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    var packed = item_pack(value);
    for (var i = 0u; i < ITEM_WORDS; i++) {
        packed[i] = word_of_lane(packed[i], lane);
    }
    return item_unpack(packed);
}
