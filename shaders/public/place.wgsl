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

// The builtins of an entry point, where workgroup memory does the work of subgroups.

// What is the same for the whole workgroup. An entry point takes it as a parameter.
@if(memory) struct Workgroup {
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
}

// What is not the same. An entry point takes it as a parameter.
@if(memory) struct Invocation {
    @builtin(local_invocation_index) local_invocation_index: u32,
}

@if(memory) const SUBGROUP_SIZE = 32u;

// Lanes of a subgroup: as many as were asked for.
@if(memory) fn subgroup_size(workgroup: Workgroup) -> u32 {
    return SUBGROUP_SIZE;
}

// Among the lanes that exchange values, the first of the invocation's group of `width`.
@if(memory) fn group_begin(width: u32, workgroup: Workgroup, invocation: Invocation) -> u32 {
    return invocation.local_invocation_index & ~(width - 1u);
}

// The builtins of an entry point, where subgroups do the work.

// What is the same for the whole workgroup. An entry point takes it as a parameter.
@if(subgroups) struct Workgroup {
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(subgroup_size) driver_subgroup_size: u32,
}

// What is not the same. An entry point takes it as a parameter.
@if(subgroups) struct Invocation {
    @builtin(local_invocation_index) local_invocation_index: u32,
}

// Any power of two between these, as WGSL has it.
@if(subgroups) const MIN_SUBGROUP_SIZE = 4u;
@if(subgroups) const MAX_SUBGROUP_SIZE = 128u;

// Lanes of a subgroup: a power of two from 4 to 128. Loops end at this, so it is within bounds whatever a driver says.
@if(subgroups) fn subgroup_size(workgroup: Workgroup) -> u32 {
    return clamp(workgroup.driver_subgroup_size, MIN_SUBGROUP_SIZE, MAX_SUBGROUP_SIZE);
}

// Among the lanes that exchange values, the first of the invocation's group of `width`.
@if(subgroups) fn group_begin(width: u32, workgroup: Workgroup, invocation: Invocation) -> u32 {
    return subgroup_lane(workgroup, invocation) & ~(width - 1u);
}

// The word of another lane of the subgroup.
@if(subgroups) fn word_of_lane(word: u32, lane: u32) -> u32 {
    return subgroupShuffle(word, lane);
}

// The sum of the words of the lanes before this one, and that of all lanes of the workgroup.
@if(before_memory) fn words_before(word: u32, workgroup: Workgroup, invocation: Invocation) -> vec2<u32> {
    let index = invocation.local_invocation_index;
    workgroupBarrier();
    memory[index] = word;
    for (var distance = 1u; distance < WORKGROUP_SIZE; distance <<= 1u) {
        workgroupBarrier();
        var sum = memory[index];
        if index >= distance {
            sum += memory[index - distance];
        }
        workgroupBarrier();
        memory[index] = sum;
    }
    workgroupBarrier();
    return vec2<u32>(memory[index] - word, memory[WORKGROUP_SIZE - 1u]);
}

// The sum of the words of the lanes before this one, and that of all lanes of the workgroup.
@if(before_subgroups) fn words_before(word: u32, workgroup: Workgroup, invocation: Invocation) -> vec2<u32> {
    let size = subgroup_size(workgroup);
    let subgroup = subgroup_index(workgroup, invocation);
    let before = subgroupExclusiveAdd(word);
    workgroupBarrier();
    if subgroup_lane(workgroup, invocation) + 1u == subgroup_lanes(workgroup, invocation) {
        memory[subgroup] = before + word;
    }
    workgroupBarrier();
    var sums = vec2<u32>(before, 0u);
    let subgroups = (WORKGROUP_SIZE + size - 1u) >> firstLeadingBit(size);
    for (var other = 0u; other < subgroups; other++) {
        let sum = memory[other];
        sums += vec2<u32>(select(0u, sum, other < subgroup), sum);
    }
    return sums;
}
