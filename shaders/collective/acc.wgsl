// What collectives and kernels do with any accumulators.

fn acc_select(a: Acc, b: Acc, takes_b: bool) -> Acc {
    if takes_b {
        return b;
    }
    return a;
}

struct Acc4 {
    x: Acc,
    y: Acc,
    z: Acc,
    w: Acc,
}

// Pairwise.
fn acc4_reduce(accs: Acc4) -> Acc {
    return op_combine(op_combine(accs.x, accs.y), op_combine(accs.z, accs.w));
}

// Word by word: no driver has to shuffle anything wider than 32 bits. What lanes have in common stays.
@if(shuffle) fn acc_shuffle_xor(acc: Acc, mask: u32) -> Acc {
    var words = op_pack(acc);
    for (var i = 0u; i < SHUFFLED_WORDS; i++) {
        words[i] = subgroupShuffleXor(words[i], mask);
    }
    return op_unpack(words);
}
