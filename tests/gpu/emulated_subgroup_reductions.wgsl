// Behind collective/subgroup_reduce_builtin.wgsl: the built-ins that reduce a subgroup, as loops over its lanes: those on bits.

// Of accumulators of one word, which the operators' own files take.
fn emulated_acc(subgroup_invocation_id: u32) -> Acc {
    var words: array<u32, ACC_WORDS>;
    words[0] = emulated_see(subgroup_invocation_id);
    return op_unpack(words);
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
