// Array of structs: the sum of one field out of four, where the four lie together.
//
// Memory comes in whole cache lines, so three of four bytes that arrive are of other fields.
struct Particle {
    x: f32,
    y: f32,
    z: f32,
    mass: f32,
}

@group(0) @binding(1) var<storage, read> particles: array<Particle>;

var<workgroup> sums: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let workgroup = workgroup_number(workgroup_id);
    let first = workgroup * LANES + lane;
    let stride = params.workgroups * LANES;
    var sum = 0.0;
    for (var round = 0u; round < params.rounds; round++) {
        let i = first + round * stride;
        if i < params.count {
            sum += particles[i].mass;
        }
    }
    sums[lane] = sum;
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
