// What the device says of subgroups, and of an invocation's place in them.

// What is the same for the whole workgroup and what is not stand in two structs: a uniformity
// analysis may treat a struct as one value.
struct WorkgroupBuiltins {
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(subgroup_size) subgroup_size: u32,
}

struct InvocationBuiltins {
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) subgroup_invocation_id: u32,
}

// Any power of two between these, as WGSL has it.
const MIN_SUBGROUP_SIZE = 4u;
const MAX_SUBGROUP_SIZE = 128u;

// Loops end at this, so it is within bounds whatever a driver says.
fn subgroup_size_of(workgroup: WorkgroupBuiltins) -> u32 {
    return clamp(workgroup.subgroup_size, MIN_SUBGROUP_SIZE, MAX_SUBGROUP_SIZE);
}

fn subgroup_id_of(invocation: InvocationBuiltins) -> u32 {
    return invocation.subgroup_id;
}

fn subgroup_invocation_id_of(invocation: InvocationBuiltins) -> u32 {
    return invocation.subgroup_invocation_id;
}

// The invocation's number in the workgroup. Nothing is assumed of how the lanes of a subgroup lie in the workgroup.
fn lane_index_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return subgroup_id_of(invocation) * subgroup_size_of(workgroup)
        + subgroup_invocation_id_of(invocation);
}
