// As in workgroup_whole_any.wgsl, of a known size of subgroups.

fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    if !size_is_known(workgroup) {
        return any_total(value, workgroup, invocation);
    }
    var total = known_total(value, WORKGROUP_SIZE);
    if KNOWN_ROUNDS > 0u {
        workgroupBarrier();
        known_show(total, invocation);
        workgroupBarrier();
        total = acc_load(invocation.local_invocation_index & (KNOWN_SUBGROUPS - 1u));
    }
    return known_rounds(total, invocation);
}
