// The values of all lanes of the subgroup, in order, combined. Every lane of the workgroup passes a value; the result is valid in every
// lane.
fn subgroup_reduce_all(value: Value, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    let total =
        group_total(acc_of(value), subgroup_size(workgroup), workgroup, invocation);
    return outcome_of(total, subgroup_lanes(workgroup, invocation));
}

// The same by shuffle-down, where that serves: valid in the subgroup's first lane alone.
fn subgroup_reduce(value: Value, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    return tile_reduce(value, subgroup_size(workgroup), workgroup, invocation);
}

// As subgroup_reduce, of tiles: valid in the first lane of each.
fn tile_reduce(value: Value, width: u32, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    let lanes = min(width, subgroup_size(workgroup));
    let total = group_total_first(acc_of(value), lanes, workgroup, invocation);
    return outcome_of(total, group_lanes(lanes, invocation));
}

// The values of all lanes of a tile, in order, combined: of `width` neighbouring lanes, a power of two that all lanes agree on, and at
// most a subgroup. Every lane of the workgroup passes a value; the result is valid in every lane.
fn tile_reduce_all(value: Value, width: u32, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    let lanes = min(width, subgroup_size(workgroup));
    return outcome_of(group_total(acc_of(value), lanes, workgroup, invocation), group_lanes(lanes, invocation));
}

// The values of all lanes of the workgroup, in order, combined. Every lane of the workgroup passes a value; the result is valid in every
// lane.
fn workgroup_reduce_all(value: Value, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    return workgroup_outcome(acc_of(value), workgroup, invocation);
}

// The same, where that serves: valid in the workgroup's first lane alone.
fn workgroup_reduce(value: Value, workgroup: Workgroup, invocation: Invocation) -> Outcome {
    return workgroup_reduce_all(value, workgroup, invocation);
}
