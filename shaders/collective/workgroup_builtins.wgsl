// An invocation's place, in kernels without subgroups.

struct WorkgroupBuiltins {
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
}

struct InvocationBuiltins {
    @builtin(local_invocation_index) local_invocation_index: u32,
}

fn lane_index_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return invocation.local_invocation_index;
}
