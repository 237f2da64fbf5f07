// Rung 6: each invocation loads two elements and adds them, before the tree of rung 5 begins.
//
// In rung 5 half of the invocations do nothing but load, from the first step on. Here all work at least once, there are
// half as many workgroups and half as many sums to store, and two loads are under way at a time.
var<workgroup> sums: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let workgroup = workgroup_number(workgroup_id);
    let first = workgroup * (2u * LANES) + lane;
    sums[lane] = element(first) + element(first + LANES);
    for (var stride = LANES / 2u; stride > 0u; stride >>= 1u) {
        workgroupBarrier();
        if lane < stride {
            sums[lane] += sums[lane + stride];
        }
    }
    if lane == 0u && workgroup < params.workgroups {
        partials[workgroup] = sums[0];
    }
}
