// How many lanes of the subgroup before this one say yes. Every lane of the workgroup passes its flag; the result is valid in every
// lane.
fn subgroup_rank(flag: bool, workgroup: Workgroup, invocation: Invocation) -> u32 {
    return ballot_rank(ballot(flag, workgroup, invocation), subgroup_lane(workgroup, invocation));
}

// Of a ballot, how many lanes before a lane say yes. No other lane takes part.
fn ballot_rank(of_lanes: vec4<u32>, lane: u32) -> u32 {
    return ballot_count(of_lanes & lanes_before(lane));
}

// The bits of the lanes before a lane.
fn lanes_before(lane: u32) -> vec4<u32> {
    let below = min(vec4<u32>(lane) - min(vec4<u32>(lane), vec4<u32>(0u, 32u, 64u, 96u)), vec4<u32>(32u));
    return select((vec4<u32>(1u) << (below & vec4<u32>(31u))) - vec4<u32>(1u), vec4<u32>(0xffffffffu), below == vec4<u32>(32u));
}

// How many lanes of the workgroup before this one say yes.
fn workgroup_rank(flag: bool, workgroup: Workgroup, invocation: Invocation) -> u32 {
    votes_collect(flag, workgroup, invocation);
    return votes_before(invocation.local_invocation_index);
}

// How many lanes of the tile before this one say yes: of `width` neighbouring lanes, a power of two that all lanes agree on, and at most a
// subgroup. Every lane of the workgroup passes its flag; the result is valid in every lane.
fn tile_rank(flag: bool, width: u32, workgroup: Workgroup, invocation: Invocation) -> u32 {
    let of_tile = ballot_of_tile(ballot(flag, workgroup, invocation), width, workgroup, invocation);
    return ballot_rank(of_tile, group_lane(min(width, subgroup_size(workgroup)), invocation));
}
