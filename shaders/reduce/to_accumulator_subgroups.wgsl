// The first pass of a reduction by atomics: each subgroup combines its total into the accumulator, without workgroup memory
// and barriers.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let value = lane_reduce(job_of(workgroup), workgroup, invocation);
    let subgroup_invocation_id = subgroup_invocation_id_of(invocation);
    let size = subgroup_size_of(workgroup);
    let total = subgroup_reduce_all(value, size, subgroup_invocation_id);
    if subgroup_invocation_id == 0u {
        accumulate(0u, total);
    }
}
