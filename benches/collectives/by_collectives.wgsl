// Sums of a workgroup's lanes, one after another, by collectives.
@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {
    let number = workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE + invocation.local_invocation_index;
    let first = first_value(number);
    // Every kernel has all bindings.
    var value = next_value(first, Value(params.zero));
    var total = value;
    for (var round = 0u; round < params.rounds; round++) {
        total = sum_workgroup_reduce_all(value, workgroup, invocation);
        value = next_value(first, total);
    }
    output[number] = total;
}
