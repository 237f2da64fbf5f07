// Where an invocation is in its workgroup. Lanes are counted in the order of `local_invocation_index`.

// Invocations of a workgroup.
const WORKGROUP_SIZE = 256u;

// The subgroup's number in the workgroup. Its first lane is lane number `subgroup_index * subgroup_size` of the workgroup.
fn subgroup_index(workgroup: Workgroup, invocation: Invocation) -> u32 {
    return invocation.local_invocation_index >> firstLeadingBit(subgroup_size(workgroup));
}

// The invocation's number in its subgroup.
fn subgroup_lane(workgroup: Workgroup, invocation: Invocation) -> u32 {
    return group_lane(subgroup_size(workgroup), invocation);
}

// How many lanes the invocation's subgroup has: fewer than its size where the workgroup ends in it.
fn subgroup_lanes(workgroup: Workgroup, invocation: Invocation) -> u32 {
    return group_lanes(subgroup_size(workgroup), invocation);
}

// Of groups of `width` neighbouring lanes, a power of two: the invocation's number in its group,
fn group_lane(width: u32, invocation: Invocation) -> u32 {
    return invocation.local_invocation_index & (width - 1u);
}

// and how many lanes the group has.
fn group_lanes(width: u32, invocation: Invocation) -> u32 {
    let begin = invocation.local_invocation_index & ~(width - 1u);
    return min(width, WORKGROUP_SIZE - begin);
}
