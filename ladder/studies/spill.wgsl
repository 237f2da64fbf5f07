// An array of each lane's, in which the data say where a sum is kept: no register can be chosen so, and the compiler puts the array into memory.
// A short one stays in the caches; a long one, times all lanes, does not, and the loads wait for it.
const LANES = 256u;

var<workgroup> sums: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let stride = params.workgroups * LANES;
    var kept: array<f32, SPILLED>;
    for (var round = 0u; round < params.rounds; round++) {
        let i = workgroup_id.x * LANES + lane + round * stride;
        let v = vector(i);
        // Small numbers alone would stay in a few places.
        kept[(bitcast<u32>(v.x) ^ ((i * 2654435761u) >> 16u)) % SPILLED] += (v.x + v.y) + (v.z + v.w);
    }
    var sum = 0.0;
    for (var i = 0u; i < SPILLED; i++) {
        sum += kept[i];
    }
    sums[lane] = sum;
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
