// Struct of arrays: the sum of one field out of four, where each has an array of its own. All of x, then all of y, of z, and of
// mass.
//
// Every byte that arrives is wanted.
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
            sum += elements[3u * params.count + i];
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
