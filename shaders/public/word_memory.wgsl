// The word of a lane of the subgroup, for all its lanes.
fn subgroup_word(word: u32, lane: u32, workgroup: Workgroup, invocation: Invocation) -> u32 {
    workgroupBarrier();
    memory[invocation.local_invocation_index] = word;
    workgroupBarrier();
    return memory[(invocation.local_invocation_index & ~(SUBGROUP_SIZE - 1u)) + lane];
}
