// As in workgroup_whole_quick.wgsl, of a known size of subgroups.

fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    let index = invocation.local_invocation_index;
    // In subgroups of another size this means nothing.
    var total = known_total(value, WORKGROUP_SIZE);
    // That range is of more values than a workgroup has lanes.
    if !(acc_is_safe_in_tile(value) & size_is_known(workgroup)) {
        atomicStore(&out_of_range, OUT_OF_RANGE);
    }
    let begin = quick_begin;
    quick_begin = KNOWN_SUBGROUPS - begin;
    if (index & (KNOWN_SUBGROUP_SIZE - 1u)) == 0u {
        quick_totals[begin + (index >> KNOWN_LEVELS)] = total;
    }
    if any_is_out_of_range() {
        range_forget(invocation);
        return op_canonical(any_total(value, workgroup, invocation));
    }
    if KNOWN_ROUNDS > 0u {
        total = quick_totals[begin + (index & (KNOWN_SUBGROUPS - 1u))];
    }
    return known_rounds(total, invocation);
}
