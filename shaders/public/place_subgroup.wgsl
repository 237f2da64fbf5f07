// The builtins of an entry point, where subgroups do the work.

// What is the same for the whole workgroup. An entry point takes it as a parameter.
struct Workgroup {
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(subgroup_size) driver_subgroup_size: u32,
}

// What is not the same. An entry point takes it as a parameter.
struct Invocation {
    @builtin(local_invocation_index) local_invocation_index: u32,
}

// Any power of two between these, as WGSL has it.
const MIN_SUBGROUP_SIZE = 4u;
const MAX_SUBGROUP_SIZE = 128u;

// Lanes of a subgroup: a power of two from 4 to 128. Loops end at this, so it is within bounds whatever a driver says.
fn subgroup_size(workgroup: Workgroup) -> u32 {
    return clamp(workgroup.driver_subgroup_size, MIN_SUBGROUP_SIZE, MAX_SUBGROUP_SIZE);
}

// Among the lanes that exchange values, the first of the invocation's group of `width`.
fn group_begin(width: u32, workgroup: Workgroup, invocation: Invocation) -> u32 {
    return subgroup_lane(workgroup, invocation) & ~(width - 1u);
}

// The word of another lane of the subgroup.
fn word_of_lane(word: u32, lane: u32) -> u32 {
    return subgroupShuffle(word, lane);
}
