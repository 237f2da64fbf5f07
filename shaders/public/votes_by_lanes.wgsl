// Every lane votes for itself.
fn votes_collect(flag: bool, workgroup: Workgroup, invocation: Invocation) {
    votes_clear(invocation);
    let index = invocation.local_invocation_index;
    if flag {
        atomicOr(&votes[index >> 5u], 1u << (index & 31u));
    }
    workgroupBarrier();
}

// The votes of the subgroup.
fn ballot(flag: bool, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
    votes_collect(flag, workgroup, invocation);
    let begin = invocation.local_invocation_index & ~(SUBGROUP_SIZE - 1u);
    var bits = vec4<u32>();
    for (var word = 0u; word < (SUBGROUP_SIZE + 31u) / 32u; word++) {
        let at = (begin >> 5u) + word;
        if at < VOTE_WORDS {
            bits[word] = atomicLoad(&votes[at]) >> (begin & 31u);
        }
    }
    if SUBGROUP_SIZE < 32u {
        bits.x &= (1u << (SUBGROUP_SIZE & 31u)) - 1u;
    }
    return bits;
}
