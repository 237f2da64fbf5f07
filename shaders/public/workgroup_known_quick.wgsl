// As in workgroup_whole_quick.wgsl, of a known size of subgroups.

fn workgroup_total(value: Acc, workgroup: Workgroup, invocation: Invocation) -> Acc {
    if !size_is_known(workgroup) {
        return any_total(value, workgroup, invocation);
    }
    let total = known_total(value, WORKGROUP_SIZE);
    // Every lane has read what the call before found: that read ended with a barrier.
    if invocation.local_invocation_index == 0u {
        atomicStore(&out_of_range, 0u);
    }
    workgroupBarrier();
    // That range is of more values than a workgroup has lanes.
    if !range_is_safe_in_tile(range_include_acc(range_start(), value)) {
        atomicStore(&out_of_range, 1u);
    }
    known_show(total, invocation);
    if any_is_out_of_range() {
        return any_total(value, workgroup, invocation);
    }
    return known_rounds(total, invocation);
}
