// Behind collective/subgroup_reduce_builtin.wgsl: the built-ins that reduce a subgroup, as loops over its lanes.

// Arithmetic is of accumulators of one word; bits are of words.
fn emulated_acc(subgroup_invocation_id: u32) -> Acc {
    var words: array<u32, ACC_WORDS>;
    words[0] = emulated_see(subgroup_invocation_id);
    return op_unpack(words);
}

fn subgroupAdd(value: Acc) -> Acc {
    emulated_show(op_pack(value)[0]);
    var total = emulated_acc(0u);
    for (var i = 1u; i < EMULATED_SIZE; i++) {
        total += emulated_acc(i);
    }
    return total;
}

fn subgroupMul(value: Acc) -> Acc {
    emulated_show(op_pack(value)[0]);
    var total = emulated_acc(0u);
    for (var i = 1u; i < EMULATED_SIZE; i++) {
        total *= emulated_acc(i);
    }
    return total;
}

fn subgroupMin(value: Acc) -> Acc {
    emulated_show(op_pack(value)[0]);
    var total = emulated_acc(0u);
    for (var i = 1u; i < EMULATED_SIZE; i++) {
        total = min(total, emulated_acc(i));
    }
    return total;
}

fn subgroupMax(value: Acc) -> Acc {
    emulated_show(op_pack(value)[0]);
    var total = emulated_acc(0u);
    for (var i = 1u; i < EMULATED_SIZE; i++) {
        total = max(total, emulated_acc(i));
    }
    return total;
}

fn subgroupAnd(value: u32) -> u32 {
    emulated_show(value);
    var total = emulated_see(0u);
    for (var i = 1u; i < EMULATED_SIZE; i++) {
        total &= emulated_see(i);
    }
    return total;
}

fn subgroupOr(value: u32) -> u32 {
    emulated_show(value);
    var total = emulated_see(0u);
    for (var i = 1u; i < EMULATED_SIZE; i++) {
        total |= emulated_see(i);
    }
    return total;
}

fn subgroupXor(value: u32) -> u32 {
    emulated_show(value);
    var total = emulated_see(0u);
    for (var i = 1u; i < EMULATED_SIZE; i++) {
        total ^= emulated_see(i);
    }
    return total;
}
