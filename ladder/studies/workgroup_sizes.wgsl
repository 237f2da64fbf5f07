// Workgroups of 32 to 1024 invocations. Small ones are more, and a processor holds only so many; large ones wait longer at their barriers,
// and need all of their registers at once.
override LANES: u32 = 256u;

var<workgroup> sums: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let stride = params.workgroups * LANES;
    var v = vec4<f32>();
    for (var round = 0u; round < params.rounds; round++) {
        v += vector(workgroup_id.x * LANES + lane + round * stride);
    }
    sums[lane] = (v.x + v.y) + (v.z + v.w);
    for (var reach = LANES / 2u; reach > 0u; reach >>= 1u) {
        workgroupBarrier();
        if lane < reach {
            sums[lane] += sums[lane + reach];
        }
    }
    if lane == 0u {
        total_add(sums[0]);
    }
}
