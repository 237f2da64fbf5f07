// Rung 10: each workgroup adds its sum to the total, and there is no second pass.
//
// Atomics again, but one for 512 elements: the queue is short, and moves on while other workgroups still load. The price is the
// order: which workgroup comes first differs from run to run, and so does the rounding of a sum of floats.
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
        total_add(0u, total);
    }
}
