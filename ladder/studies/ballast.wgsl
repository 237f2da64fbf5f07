// Workgroup memory as ballast: sums lie far apart, in more memory than they need. A processor has memory for so many workgroups, and the more
// each takes, the fewer are there to load while others wait.
override BALLAST_WORDS: u32 = 1024u;

const LANES = 256u;

var<workgroup> ballast: array<f32, BALLAST_WORDS>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let apart = BALLAST_WORDS / LANES;
    let stride = params.workgroups * LANES;
    var v = vec4<f32>();
    for (var round = 0u; round < params.rounds; round++) {
        v += vector(workgroup_id.x * LANES + lane + round * stride);
    }
    ballast[lane * apart] = (v.x + v.y) + (v.z + v.w);
    for (var reach = LANES / 2u; reach > 0u; reach >>= 1u) {
        workgroupBarrier();
        if lane < reach {
            ballast[lane * apart] += ballast[(lane + reach) * apart];
        }
    }
    if lane == 0u {
        total_add(ballast[0]);
    }
}
