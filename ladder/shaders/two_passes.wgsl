// Rung 9: the sums within subgroups by swaps (shuffle_xor.wgsl), and two passes: a single workgroup folds what all others
// left, however much that is.
//
// A dispatch costs some microseconds, and each waits until the one before is done. Two of them do, where a tree of
// workgroups takes one for each of its levels.
@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(num_subgroups) num_subgroups: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) subgroup_invocation_id: u32,
) {
    let workgroup = workgroup_number(workgroup_id);
    let first = workgroup * (2u * LANES) + lane;
    let sum = element(first) + element(first + LANES);
    let total =
        workgroup_sum(sum, num_subgroups, subgroup_size, subgroup_id, subgroup_invocation_id);
    if lane == 0u && workgroup < params.workgroups {
        partials[workgroup] = total;
    }
}

// The second pass: one workgroup, whose elements are the sums of the first.
@compute @workgroup_size(LANES)
fn fold(
    @builtin(local_invocation_index) lane: u32,
    @builtin(num_subgroups) num_subgroups: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) subgroup_invocation_id: u32,
) {
    var sum = 0.0;
    for (var round = 0u; round < params.rounds; round++) {
        sum += element(round * LANES + lane);
    }
    let total =
        workgroup_sum(sum, num_subgroups, subgroup_size, subgroup_id, subgroup_invocation_id);
    if lane == 0u {
        partials[0] = total;
    }
}
