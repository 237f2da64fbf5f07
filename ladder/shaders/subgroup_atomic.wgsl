// Rung 11: the first lane of each subgroup adds the subgroup's sum to the total.
//
// No workgroup memory and no barrier is left: subgroups of a workgroup do not wait for each other. But there are more of them
// than workgroups, so the queue at the total is longer.
@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(subgroup_invocation_id) subgroup_invocation_id: u32,
) {
    let workgroup = workgroup_number(workgroup_id);
    let first = workgroup * (2u * LANES) + lane;
    let sum = subgroup_sum(element(first) + element(first + LANES), subgroup_size);
    if subgroup_invocation_id == 0u && workgroup < params.workgroups {
        total_add(0u, sum);
    }
}
