// Rung 14: the sums of three fields at once, which lie one after another: a struct of arrays. All of x, then all of y, then
// all of z.
//
// The same loads and additions as in rung 13; but the words that a subgroup loads at a time lie side by side, so they come
// in as few transactions as there can be.
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
            sum += vec3<f32>(
                elements[i],
                elements[params.count + i],
                elements[2u * params.count + i],
            );
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
