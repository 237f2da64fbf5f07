// `workgroup_reduce` through subgroups of any size from 4 to 128. The size is read where it is
// needed, and nothing is assumed of how the lanes of a subgroup lie in the workgroup.

// What is the same for the whole workgroup and what is not stand in two structs: a uniformity
// analysis may treat a struct as one value.
struct WorkgroupBuiltins {
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(subgroup_size) subgroup_size: u32,
}

struct InvocationBuiltins {
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) subgroup_invocation_id: u32,
}

const MIN_SUBGROUP_SIZE = 4u;

var<workgroup> subgroup_accs: array<Acc, LANES / MIN_SUBGROUP_SIZE>;

fn lane_index_of(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) -> u32 {
    return invocation.subgroup_id * workgroup.subgroup_size + invocation.subgroup_invocation_id;
}

// Combines the lanes' values by s[l] = s[l] + s[l ^ d], d = 1, 2, 4 ... 128. Valid in every lane.
//
// The steps below the subgroup size happen within subgroups. Then each subgroup leaves one value
// in workgroup memory, and every subgroup takes up all of them (or, where there are more of them
// than lanes in a subgroup, as many as fit) and goes on with the next steps.
fn workgroup_reduce(
    value: Acc,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) -> Acc {
    // Whatever a driver says, the loop below ends.
    let size = clamp(workgroup.subgroup_size, MIN_SUBGROUP_SIZE, LANES);
    let log2_size = countTrailingZeros(size);
    let lane_index = lane_index_of(workgroup, invocation);
    var total = subgroup_reduce(value, size, invocation.subgroup_invocation_id);
    for (var count = LANES >> log2_size; count > 1u; count >>= log2_size) {
        workgroupBarrier();
        if invocation.subgroup_invocation_id == 0u && invocation.subgroup_id < count {
            subgroup_accs[invocation.subgroup_id] = total;
        }
        workgroupBarrier();
        let taken = subgroup_accs[lane_index & (count - 1u)];
        total = subgroup_reduce(taken, min(size, count), invocation.subgroup_invocation_id);
    }
    return total;
}
