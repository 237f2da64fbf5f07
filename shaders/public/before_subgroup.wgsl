// The sum of the words of the lanes before this one, and that of all lanes of the workgroup.
fn words_before(word: u32, workgroup: Workgroup, invocation: Invocation) -> vec2<u32> {
    let size = subgroup_size(workgroup);
    let subgroup = subgroup_index(workgroup, invocation);
    let before = subgroupExclusiveAdd(word);
    workgroupBarrier();
    if subgroup_lane(workgroup, invocation) + 1u == subgroup_lanes(workgroup, invocation) {
        memory[subgroup] = before + word;
    }
    workgroupBarrier();
    var sums = vec2<u32>(before, 0u);
    let subgroups = (WORKGROUP_SIZE + size - 1u) >> firstLeadingBit(size);
    for (var other = 0u; other < subgroups; other++) {
        let sum = memory[other];
        sums += vec2<u32>(select(0u, sum, other < subgroup), sum);
    }
    return sums;
}
