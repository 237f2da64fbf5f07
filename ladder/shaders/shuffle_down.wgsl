// Rung 8: all steps but one happen within subgroups, by shuffles: a lane takes the sum of the lane `delta` further on.
//
// Values pass from register to register. Workgroup memory holds one sum for each subgroup rather than for each invocation, and there
// is one barrier instead of one for each step.
//
// In the first step the lanes of the lower half get the sums of the upper half, in the next those of the first quarter the sums of the
// second one: lane 0 has the total. What the other lanes have is of no use, and what lies past the subgroup's end is no value at all.

// Subgroups have 4 lanes or more.
const MAX_SUBGROUPS = LANES / 4u;

var<workgroup> subgroup_sums: array<f32, MAX_SUBGROUPS>;

// In lane 0 of each subgroup.
fn subgroup_sum(x: f32, subgroup_size: u32) -> f32 {
    var sum = x;
    for (var delta = subgroup_size >> 1u; delta > 0u; delta >>= 1u) {
        sum += subgroupShuffleDown(sum, delta);
    }
    return sum;
}

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(num_subgroups) num_subgroups: u32,
    @builtin(subgroup_size) subgroup_size: u32,
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) subgroup_invocation_id: u32,
) {
    let workgroup = workgroup_number(workgroup_id);
    let first = workgroup * (2u * LANES) + lane;
    let sum = subgroup_sum(element(first) + element(first + LANES), subgroup_size);
    if subgroup_invocation_id == 0u {
        subgroup_sums[subgroup_id] = sum;
    }
    workgroupBarrier();
    // Every subgroup adds the sums of all. There may be more of them than a subgroup has lanes: a lane takes several, or
    // none.
    var rest = 0.0;
    for (var i = subgroup_invocation_id; i < num_subgroups; i += subgroup_size) {
        rest += subgroup_sums[i];
    }
    let total = subgroup_sum(rest, subgroup_size);
    if subgroup_id == 0u && subgroup_invocation_id == 0u && workgroup < params.workgroups {
        partials[workgroup] = total;
    }
}
