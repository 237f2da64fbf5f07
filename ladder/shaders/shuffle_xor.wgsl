// The sum of a subgroup by shuffles that swap values: lanes l and l ^ mask add each other's sums. So after the last step
// every lane has the total without a broadcast. Lanes past the subgroup's end are never asked.

// Subgroups have 4 lanes or more.
const MAX_SUBGROUPS = LANES / 4u;

var<workgroup> subgroup_sums: array<f32, MAX_SUBGROUPS>;

// In every lane.
fn subgroup_sum(x: f32, subgroup_size: u32) -> f32 {
    var sum = x;
    for (var mask = subgroup_size >> 1u; mask > 0u; mask >>= 1u) {
        sum += subgroupShuffleXor(sum, mask);
    }
    return sum;
}

// In every lane of the workgroup.
fn workgroup_sum(
    x: f32,
    num_subgroups: u32,
    subgroup_size: u32,
    subgroup_id: u32,
    subgroup_invocation_id: u32,
) -> f32 {
    let sum = subgroup_sum(x, subgroup_size);
    if subgroup_invocation_id == 0u {
        subgroup_sums[subgroup_id] = sum;
    }
    workgroupBarrier();
    // There may be more subgroups than a subgroup has lanes: a lane takes several of their sums, or none.
    var rest = 0.0;
    for (var i = subgroup_invocation_id; i < num_subgroups; i += subgroup_size) {
        rest += subgroup_sums[i];
    }
    return subgroup_sum(rest, subgroup_size);
}
