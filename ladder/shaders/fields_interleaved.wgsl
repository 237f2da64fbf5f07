// Rung 13: the sums of three fields at once, which lie interleaved: an array of structs.
//
// A lane's next field lies 4 bytes further, but its neighbour's lies 12 bytes further. So a load of a subgroup spreads over three
// times as many cache lines as it needs. All of their bytes are wanted, so caches save most of it, and what remains is that
// loads take more transactions.
struct Sample {
    x: f32,
    y: f32,
    z: f32,
}

@group(0) @binding(1) var<storage, read> samples: array<Sample>;

var<workgroup> sums: array<vec3<f32>, LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let workgroup = workgroup_number(workgroup_id);
    let first = workgroup * LANES + lane;
    let stride = params.workgroups * LANES;
    var sum = vec3<f32>();
    for (var round = 0u; round < params.rounds; round++) {
        let i = first + round * stride;
        if i < params.count {
            sum += vec3<f32>(samples[i].x, samples[i].y, samples[i].z);
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
        total_add(0u, sums[0].x);
        total_add(1u, sums[0].y);
        total_add(2u, sums[0].z);
    }
}
