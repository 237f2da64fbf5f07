// Rung 12: a number of workgroups that does not grow with the input. Each invocation goes through the whole input in strides of all
// invocations together, and loads 16 bytes at each step.
//
// Nearly all additions happen in registers, and need no other lane. What is left for trees, barriers and atomics no longer grows
// with the input, so the plain tree of rung 5 will do. Loads are as wide as they can be, and those of neighbouring lanes lie side by side
// (they are coalesced into few transactions), so what is left to wait for is the memory.
var<workgroup> sums: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let workgroup = workgroup_number(workgroup_id);
    let first = workgroup * LANES + lane;
    let stride = params.workgroups * LANES;
    var v = vec4<f32>();
    for (var round = 0u; round < params.rounds; round++) {
        v += vector(first + round * stride);
    }
    sums[lane] = (v.x + v.y) + (v.z + v.w);
    for (var reach = LANES / 2u; reach > 0u; reach >>= 1u) {
        workgroupBarrier();
        if lane < reach {
            sums[lane] += sums[lane + reach];
        }
    }
    if lane == 0u && workgroup < params.workgroups {
        total_add(0u, sums[0]);
    }
}
