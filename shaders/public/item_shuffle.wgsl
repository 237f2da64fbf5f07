// The value of another lane of the subgroup, word by word.
fn item_of_lane(value: Item, lane: u32, workgroup: Workgroup, invocation: Invocation) -> Item {
    let packed = item_pack(value);
    var brought = vec4<u32>(word_of_lane(packed.x, lane), 0u, 0u, 0u);
    if ITEM_WORDS > 1u {
        brought.y = word_of_lane(packed.y, lane);
    }
    if ITEM_WORDS > 2u {
        brought.z = word_of_lane(packed.z, lane);
    }
    if ITEM_WORDS > 3u {
        brought.w = word_of_lane(packed.w, lane);
    }
    return item_unpack(brought);
}
