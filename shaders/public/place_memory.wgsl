// The builtins of an entry point, where workgroup memory does the work of subgroups.

// What is the same for the whole workgroup. An entry point takes it as a parameter.
struct Workgroup {
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
}

// What is not the same. An entry point takes it as a parameter.
struct Invocation {
    @builtin(local_invocation_index) local_invocation_index: u32,
}

const SUBGROUP_SIZE = 32u;

// Lanes of a subgroup: as many as were asked for.
fn subgroup_size(workgroup: Workgroup) -> u32 {
    return SUBGROUP_SIZE;
}

// Among the lanes that exchange values, the first of the invocation's group of `width`.
fn group_begin(width: u32, workgroup: Workgroup, invocation: Invocation) -> u32 {
    return invocation.local_invocation_index & ~(width - 1u);
}
