// Subgroups vote, and one lane for each 32 brings their votes.
fn votes_collect(flag: bool, workgroup: Workgroup, invocation: Invocation) {
    votes_clear(invocation);
    let bits = ballot(flag, workgroup, invocation);
    let index = invocation.local_invocation_index;
    let lane = subgroup_lane(workgroup, invocation);
    if (lane & 31u) == 0u {
        atomicOr(&votes[index >> 5u], bits[lane >> 5u] << (index & 31u));
    }
    workgroupBarrier();
}
