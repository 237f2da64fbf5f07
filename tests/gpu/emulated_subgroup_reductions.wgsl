// Behind collective/subgroup_reduce.wgsl: for the built-ins that reduce a subgroup, which operators' own files make loops over its lanes.

// A lane's accumulator, which has one word.
fn emulated_acc(subgroup_invocation_id: u32) -> Acc {
    var words: array<u32, ACC_WORDS>;
    words[0] = emulated_see(subgroup_invocation_id);
    return op_unpack(words);
}
