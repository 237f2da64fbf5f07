// An invocation's place, where nobody asks for subgroups.

struct WorkgroupBuiltins {
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
}

struct InvocationBuiltins {
    @builtin(local_invocation_index) local_invocation_index: u32,
}

fn lane_index_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return invocation.local_invocation_index;
}
