// Rung 4: the same tree, but the invocations that work are the first ones: lane l works on sum 2 * stride * l.
//
// Subgroups are either at work or done, so they no longer diverge, and those that are done leave the processor to others. In
// exchange the lanes of a subgroup reach for words that lie 2, 4, 8 ... apart. Workgroup memory has (on most GPUs) 32 banks, and word w
// is in bank w % 32: lanes that want different words of one bank wait for each other.
var<workgroup> sums: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let workgroup = workgroup_number(workgroup_id);
    sums[lane] = element(workgroup * LANES + lane);
    for (var stride = 1u; stride < LANES; stride <<= 1u) {
        workgroupBarrier();
        let i = 2u * stride * lane;
        if i < LANES {
            sums[i] += sums[i + stride];
        }
    }
    if lane == 0u && workgroup < params.workgroups {
        partials[workgroup] = sums[0];
    }
}
