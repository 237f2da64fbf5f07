// A place in a list that all workgroups append to, for each lane that has an entry; of others the result is no place. Places of a workgroup
// are neighbours, in the order of its lanes. One atomic addition for the workgroup. Every lane of the workgroup passes its flag.
fn workgroup_append(has_entry: bool, workgroup: Workgroup, invocation: Invocation) -> u32 {
    votes_collect(has_entry, workgroup, invocation);
    if invocation.local_invocation_index == 0u {
        append_begin = atomicAdd(&list.length, votes_before(WORKGROUP_SIZE));
    }
    return workgroupUniformLoad(&append_begin) + votes_before(invocation.local_invocation_index);
}

// The same with one atomic addition for each subgroup. Places of a subgroup are neighbours.
fn subgroup_append(has_entry: bool, workgroup: Workgroup, invocation: Invocation) -> u32 {
    let votes_of_lanes = ballot(has_entry, workgroup, invocation);
    let lane = subgroup_lane(workgroup, invocation);
    var begin = 0u;
    if lane == 0u {
        begin = atomicAdd(&list.length, ballot_count(votes_of_lanes));
    }
    begin = subgroup_word(begin, 0u, workgroup, invocation);
    return begin + ballot_count(votes_of_lanes & lanes_before(lane));
}

@if(memory) var<workgroup> append_begin: u32;
