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
