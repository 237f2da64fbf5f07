// The second pass.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    range_flag_clear(lane_index_of(workgroup, invocation));
    fold_partials(Partials(0u, params.partial_count, FOLD), workgroup, invocation);
}
