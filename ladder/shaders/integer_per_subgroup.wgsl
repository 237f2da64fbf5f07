// One atomic for each subgroup: its lanes add their elements first, in registers, and one of them goes to the total.
//
// The queue is shorter by as many times as a subgroup has lanes.
@group(0) @binding(2) var<storage, read_write> total: atomic<u32>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(subgroup_invocation_id) subgroup_invocation_id: u32,
) {
    let workgroup = workgroup_number(workgroup_id);
    let sum = subgroupAdd(u32(element(workgroup * LANES + lane)));
    if subgroup_invocation_id == 0u && workgroup < params.workgroups {
        atomicAdd(&total, sum);
    }
}
