// Whether any lane of the subgroup says yes. Every lane of the workgroup passes its flag; the result is valid in every lane.
fn subgroup_any(flag: bool, workgroup: Workgroup, invocation: Invocation) -> bool {
    return subgroup_count(flag, workgroup, invocation) > 0u;
}

// Whether all lanes of the subgroup say yes.
fn subgroup_all(flag: bool, workgroup: Workgroup, invocation: Invocation) -> bool {
    return subgroup_count(!flag, workgroup, invocation) == 0u;
}

// How many lanes of the subgroup say yes.
fn subgroup_count(flag: bool, workgroup: Workgroup, invocation: Invocation) -> u32 {
    return ballot_count(ballot(flag, workgroup, invocation));
}

// Which lanes of the subgroup say yes: lane 0 is the lowest bit of the first word. There is no bit for a lane that is not there.
fn subgroup_ballot(flag: bool, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
    return ballot(flag, workgroup, invocation);
}

// Whether any lane of the workgroup says yes. The result is the same for all lanes, and browsers know it: barriers may depend on it.
fn workgroup_any(flag: bool, workgroup: Workgroup, invocation: Invocation) -> bool {
    return workgroup_count(flag, workgroup, invocation) > 0u;
}

// Whether all lanes of the workgroup say yes. The result is the same for all lanes, and browsers know it.
fn workgroup_all(flag: bool, workgroup: Workgroup, invocation: Invocation) -> bool {
    return workgroup_count(flag, workgroup, invocation) == WORKGROUP_SIZE;
}

// How many lanes of the workgroup say yes. The result is the same for all lanes, and browsers know it.
fn workgroup_count(flag: bool, workgroup: Workgroup, invocation: Invocation) -> u32 {
    votes_collect(flag, workgroup, invocation);
    if invocation.local_invocation_index == 0u {
        votes_total = votes_before(WORKGROUP_SIZE);
    }
    return workgroupUniformLoad(&votes_total);
}

// Whether any lane of the tile says yes: of `width` neighbouring lanes, a power of two that all lanes agree on, and at most a subgroup.
// Every lane of the workgroup passes its flag; the result is valid in every lane.
fn tile_any(flag: bool, width: u32, workgroup: Workgroup, invocation: Invocation) -> bool {
    return tile_count(flag, width, workgroup, invocation) > 0u;
}

// Whether all lanes of the tile say yes.
fn tile_all(flag: bool, width: u32, workgroup: Workgroup, invocation: Invocation) -> bool {
    return tile_count(!flag, width, workgroup, invocation) == 0u;
}

// How many lanes of the tile say yes.
fn tile_count(flag: bool, width: u32, workgroup: Workgroup, invocation: Invocation) -> u32 {
    return ballot_count(tile_ballot(flag, width, workgroup, invocation));
}

// Which lanes of the tile say yes: the tile's lane 0 is the lowest bit of the first word.
fn tile_ballot(flag: bool, width: u32, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
    return ballot_of_tile(ballot(flag, workgroup, invocation), width, workgroup, invocation);
}

// Of a subgroup's ballot the bits of the lane's tile.
fn ballot_of_tile(of_lanes: vec4<u32>, width: u32, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
    let lanes = min(width, subgroup_size(workgroup));
    let begin = subgroup_lane(workgroup, invocation) & ~(lanes - 1u);
    var bits = vec4<u32>();
    for (var word = 0u; word < 4u; word++) {
        let source = (begin >> 5u) + word;
        if source < 4u {
            // Tiles do not lie across words, or begin with one.
            bits[word] = of_lanes[source] >> (begin & 31u);
        }
    }
    return bits & lanes_before(lanes);
}

// The votes of a workgroup, a bit for each lane, in workgroup memory.

@if(memory) const VOTE_WORDS = (WORKGROUP_SIZE + 31u) / 32u;

@if(memory) var<workgroup> votes: array<atomic<u32>, VOTE_WORDS>;
@if(memory) var<workgroup> votes_total: u32;

// Clears the votes.
@if(memory) fn votes_clear(invocation: Invocation) {
    workgroupBarrier();
    if invocation.local_invocation_index < VOTE_WORDS {
        atomicStore(&votes[invocation.local_invocation_index], 0u);
    }
    workgroupBarrier();
}

// How many of the first `count` lanes have voted yes.
@if(memory) fn votes_before(count: u32) -> u32 {
    var total = 0u;
    for (var word = 0u; word < VOTE_WORDS; word++) {
        let bits = atomicLoad(&votes[word]);
        let below = count - min(count, 32u * word);
        let mask = select((1u << (below & 31u)) - 1u, 0xffffffffu, below >= 32u);
        total += countOneBits(bits & mask);
    }
    return total;
}

// Every lane votes for itself.
@if(by_lanes) fn votes_collect(flag: bool, workgroup: Workgroup, invocation: Invocation) {
    votes_clear(invocation);
    let index = invocation.local_invocation_index;
    if flag {
        atomicOr(&votes[index >> 5u], 1u << (index & 31u));
    }
    workgroupBarrier();
}

// The votes of the subgroup.
@if(by_lanes) fn ballot(flag: bool, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
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

// Subgroups vote, and one lane for each 32 brings their votes.
@if(by_subgroups) fn votes_collect(flag: bool, workgroup: Workgroup, invocation: Invocation) {
    votes_clear(invocation);
    let bits = ballot(flag, workgroup, invocation);
    let index = invocation.local_invocation_index;
    let lane = subgroup_lane(workgroup, invocation);
    if (lane & 31u) == 0u {
        atomicOr(&votes[index >> 5u], bits[lane >> 5u] << (index & 31u));
    }
    workgroupBarrier();
}

// The votes of a subgroup of at most 32 lanes.
@if(ballot_32) fn ballot(flag: bool, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
    return vec4<u32>(subgroupBallot(flag).x, 0u, 0u, 0u);
}

// The votes of a subgroup of any size. Not by a ballot: Metal has none of more than 32 lanes that can be trusted.
@if(ballot_128) fn ballot(flag: bool, workgroup: Workgroup, invocation: Invocation) -> vec4<u32> {
    let lane = subgroup_lane(workgroup, invocation);
    let bit = select(0u, 1u << (lane & 31u), flag);
    let word = lane >> 5u;
    return vec4<u32>(
        subgroupOr(select(0u, bit, word == 0u)),
        subgroupOr(select(0u, bit, word == 1u)),
        subgroupOr(select(0u, bit, word == 2u)),
        subgroupOr(select(0u, bit, word == 3u)),
    );
}
