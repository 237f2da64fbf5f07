// The votes of a workgroup, a bit for each lane, in workgroup memory.

const VOTE_WORDS = (WORKGROUP_SIZE + 31u) / 32u;

var<workgroup> votes: array<atomic<u32>, VOTE_WORDS>;
var<workgroup> votes_total: u32;

// Clears the votes.
fn votes_clear(invocation: Invocation) {
    workgroupBarrier();
    if invocation.local_invocation_index < VOTE_WORDS {
        atomicStore(&votes[invocation.local_invocation_index], 0u);
    }
    workgroupBarrier();
}

// How many of the first `count` lanes have voted yes.
fn votes_before(count: u32) -> u32 {
    var total = 0u;
    for (var word = 0u; word < VOTE_WORDS; word++) {
        let bits = atomicLoad(&votes[word]);
        let below = count - min(count, 32u * word);
        let mask = select((1u << (below & 31u)) - 1u, 0xffffffffu, below >= 32u);
        total += countOneBits(bits & mask);
    }
    return total;
}
