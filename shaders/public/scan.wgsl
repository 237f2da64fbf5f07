// The values of the subgroup's lanes up to and with this one, in order, combined. Every lane of the workgroup passes a value; the result
// is valid in every lane.
fn subgroup_inclusive_scan(value: Value, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    return tile_inclusive_scan(value, subgroup_size(workgroup), workgroup, invocation);
}

// The values of the subgroup's lanes before this one, in order, combined; of none in the first lane. Every lane of the workgroup passes
// a value; the result is valid in every lane.
fn subgroup_exclusive_scan(value: Value, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    return tile_exclusive_scan(value, subgroup_size(workgroup), workgroup, invocation);
}

// As subgroup_inclusive_scan, of tiles: of `width` neighbouring lanes, a power of two that all lanes agree on, and at most a subgroup.
fn tile_inclusive_scan(value: Value, width: u32, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    let count = group_lane(min(width, subgroup_size(workgroup)), invocation) + 1u;
    return outcome_of(tile_prefix(value, width, count, workgroup, invocation), count);
}

// As subgroup_exclusive_scan, of tiles: of `width` neighbouring lanes, a power of two that all lanes agree on, and at most a subgroup.
fn tile_exclusive_scan(value: Value, width: u32, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    let count = group_lane(min(width, subgroup_size(workgroup)), invocation);
    return outcome_of(tile_prefix(value, width, count, workgroup, invocation), count);
}

// The first `count` values of a tile.
fn tile_prefix(
    value: Value,
    width: u32,
    count: u32,
    workgroup: Workgroup,
    invocation: Invocation,
) -> Acc {
    let lanes = min(width, subgroup_size(workgroup));
    let node = group_tree(acc_of(value), lanes, workgroup, invocation);
    let begin = group_begin(lanes, workgroup, invocation);
    return group_prefix(node, begin, count, lanes, workgroup, invocation);
}

// The values of the workgroup's lanes up to and with this one, in order, combined. Every lane of the workgroup passes a value; the
// result is valid in every lane.
fn workgroup_inclusive_scan(value: Value, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    workgroup_tree(acc_of(value), workgroup, invocation);
    let count = invocation.local_invocation_index + 1u;
    return outcome_of(memory_prefix(0u, count, 1u << firstLeadingBit(WORKGROUP_SIZE)), count);
}

// The values of the workgroup's lanes before this one, in order, combined; of none in the first lane. Every lane of the workgroup passes
// a value; the result is valid in every lane.
fn workgroup_exclusive_scan(value: Value, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    workgroup_tree(acc_of(value), workgroup, invocation);
    let count = invocation.local_invocation_index;
    return outcome_of(memory_prefix(0u, count, 1u << firstLeadingBit(WORKGROUP_SIZE)), count);
}
