// Rung 7: as rung 6 until as many sums are left as a subgroup has lanes. The last steps take no barriers.
//
// The classic unrolls these steps, and has the lanes of one subgroup go on in workgroup memory without barriers, because they
// would run in step anyway. That was never promised: a compiler may keep a sum in a register, lanes may run apart, and in WGSL it
// is a data race. What WGSL has instead are subgroup operations: all lanes come, and values pass from lane to lane without memory.
// Their steps the driver unrolls.
//
// Nothing here knows how large subgroups are, and how their lanes lie in the workgroup.
var<workgroup> sums: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(subgroup_invocation_id) subgroup_invocation_id: u32,
) {
    let workgroup = workgroup_number(workgroup_id);
    let first = workgroup * (2u * LANES) + lane;
    sums[lane] = element(first) + element(first + LANES);
    for (var left = LANES; left > subgroup_size; left >>= 1u) {
        workgroupBarrier();
        let stride = left >> 1u;
        if lane < stride {
            sums[lane] += sums[lane + stride];
        }
    }
    workgroupBarrier();
    // Every subgroup adds the same sums. One would do, but subgroup operations are for where all invocations come, and the others
    // have nothing else to do.
    let total = subgroupAdd(sums[subgroup_invocation_id]);
    if lane == 0u && workgroup < params.workgroups {
        partials[workgroup] = total;
    }
}
