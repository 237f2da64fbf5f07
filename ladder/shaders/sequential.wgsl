// Rung 5: the same tree with another partner: lane l adds the sum that lies half of what is left away.
//
// Neighbouring lanes reach for neighbouring words, which are in different banks: no lane waits.
var<workgroup> sums: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let workgroup = workgroup_number(workgroup_id);
    sums[lane] = element(workgroup * LANES + lane);
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
