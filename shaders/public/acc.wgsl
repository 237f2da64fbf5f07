// Accumulators in workgroup memory.

@if(memory) fn acc_store(at: u32, acc: Acc) {
    var packed = op_pack(acc);
    for (var i = 0u; i < ACC_WORDS; i++) {
        memory[i * WORKGROUP_SIZE + at] = packed[i];
    }
}

@if(memory) fn acc_load(at: u32) -> Acc {
    var packed: array<u32, ACC_WORDS>;
    for (var i = 0u; i < ACC_WORDS; i++) {
        packed[i] = memory[i * WORKGROUP_SIZE + at];
    }
    return op_unpack(packed);
}

// Combines the first `count` of the values that a tree in memory is of, in order: the totals of runs, the longest first. The tree's
// first node is at `begin`, and `longest` is a power of two that no run is longer than.
@if(memory) fn memory_prefix(begin: u32, count: u32, longest: u32) -> Acc {
    var total = op_identity();
    var done = 0u;
    for (var run = longest; run > 0u; run >>= 1u) {
        if (count & run) != 0u {
            let next = acc_load(begin + done + run - 1u);
            if done == 0u {
                total = next;
            } else {
                total = op_combine_any(total, next);
            }
            done += run;
        }
    }
    return total;
}

// The accumulator of another lane of the subgroup. Word by word: no driver has to shuffle anything wider than 32 bits.
@if(shuffle) fn acc_of_lane(acc: Acc, lane: u32) -> Acc {
    var packed = op_pack(acc);
    for (var i = 0u; i < ACC_WORDS; i++) {
        packed[i] = word_of_lane(packed[i], lane);
    }
    return op_unpack(packed);
}
