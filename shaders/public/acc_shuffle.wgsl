// The accumulator of another lane of the subgroup. Word by word: no driver has to shuffle anything wider than 32 bits.
fn acc_of_lane(acc: Acc, lane: u32) -> Acc {
    var packed = op_pack(acc);
    for (var i = 0u; i < ACC_WORDS; i++) {
        packed[i] = word_of_lane(packed[i], lane);
    }
    return op_unpack(packed);
}
