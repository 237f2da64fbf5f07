// The tree of a workgroup's lanes through subgroups, whatever their size: s[l] = s[l] + s[l ^ d], d = 1, 2, 4 ... 128.
//
// The steps below the subgroup size happen within subgroups, and each leaves one value of each block in workgroup memory.
// Then lanes take these up, those of all blocks side by side, and go on with the next steps.

var<workgroup> subgroup_accs: array<Acc, MAX_WORKGROUP_BLOCKS * LANES / MIN_SUBGROUP_SIZE>;

// Combines the values of block i within subgroups. All lanes come here.
fn workgroup_keep(
    i: u32,
    value: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let size = subgroup_size_of(workgroup);
    let subgroup_invocation_id = subgroup_invocation_id_of(invocation);
    let total = subgroup_reduce(value, size, subgroup_invocation_id);
    if subgroup_invocation_id == 0u {
        let subgroups = LANES >> firstLeadingBit(size);
        subgroup_accs[i * subgroups + subgroup_id_of(invocation)] = total;
    }
}

// After a barrier: the block whose total the lane then has in `workgroup_total`, `count` or more if none.
fn workgroup_combine(
    count: u32,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> u32 {
    let size = subgroup_size_of(workgroup);
    let log2_size = firstLeadingBit(size);
    let subgroup_invocation_id = subgroup_invocation_id_of(invocation);
    let lane_index = lane_index_of(workgroup, invocation);
    // Values that each block has left.
    var left = LANES >> log2_size;
    for (; left > size; left >>= log2_size) {
        for (var first = 0u; first < count * left; first += LANES) {
            let at = first + lane_index;
            let total = subgroup_reduce(subgroup_accs[at], size, subgroup_invocation_id);
            workgroupBarrier();
            // Behind all that is still to be read, because subgroups have four lanes or more.
            if subgroup_invocation_id == 0u && at < count * left {
                subgroup_accs[at >> log2_size] = total;
            }
        }
        workgroupBarrier();
    }
    workgroup_total = subgroup_reduce(subgroup_accs[lane_index], left, subgroup_invocation_id);
    return select(count, lane_index / left, lane_index % left == 0u);
}
