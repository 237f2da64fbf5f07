// Combines `width` neighbouring lanes of a subgroup (a power of two, at most its size) in the order
// of the tree: lane l with lane l ^ mask, mask = 1, 2, 4 ... Valid in each of those lanes.
fn subgroup_reduce(value: Acc, width: u32, subgroup_invocation_id: u32) -> Acc {
    var total = value;
    for (var mask = 1u; mask < width; mask <<= 1u) {
        total = op_combine(total, acc_shuffle_xor(total, mask));
    }
    return total;
}

// Word by word: no driver has to shuffle anything wider than 32 bits.
fn acc_shuffle_xor(acc: Acc, mask: u32) -> Acc {
    var words = op_pack(acc);
    for (var i = 0u; i < ACC_WORDS; i++) {
        words[i] = subgroupShuffleXor(words[i], mask);
    }
    return op_unpack(words);
}
