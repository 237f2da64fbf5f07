// Rung 3: a workgroup folds its elements in workgroup memory, as a tree of 8 steps, and stores one sum. The same again for these
// sums, until there is one.
//
// No workgroup waits for another one, and a total of n elements takes log2(n) steps instead of n. But the invocations that
// work lie among those that do not: lanes 0, 2, 4 ... in the first step, 0, 4, 8 ... in the next. A subgroup runs as long
// as one of its lanes works, so nearly all of them run in every step, with ever fewer lanes at work. And `%` is slow.
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
        if lane % (2u * stride) == 0u {
            sums[lane] += sums[lane + stride];
        }
    }
    if lane == 0u && workgroup < params.workgroups {
        partials[workgroup] = sums[0];
    }
}
