// What a workgroup learns: whether it came last; then the total is that of all workgroups, else its own.
struct Finished {
    is_last: bool,
    total: Outcome,
}

// The values of all lanes of a dispatch, combined by the workgroup that comes last, so that it can go on with the total. `workgroups` is
// how many there are, in one dimension: a number that is the same for all of them, and at most 65535. Totals of workgroups are combined in
// order, whichever comes last. A dispatch has one such call. Every lane of the workgroup passes a value; the result is valid in every lane,
// and browsers know that `is_last` is the same for all lanes.
fn device_reduce(value: Value, workgroups: u32, workgroup: Workgroup, invocation: Invocation) -> Finished {
    let index = invocation.local_invocation_index;
    let own = workgroup_total(acc_of(value), workgroup, invocation);
    if index == 0u {
        partial_store(workgroup.workgroup_id.x, own);
    }
    // All that is there before this workgroup counts,
    storageBarrier();
    if index == 0u {
        let before = atomicAdd(&ticket.delivered, 1u);
        ticket_is_last = select(0u, 1u, before + 1u == workgroups);
    }
    let is_last = workgroupUniformLoad(&ticket_is_last) == 1u;
    if !is_last {
        return Finished(is_last, outcome_of(own, WORKGROUP_SIZE));
    }
    // and the workgroup that has counted them all, finds all of it.
    storageBarrier();
    if index == 0u {
        // For the next dispatch.
        atomicStore(&ticket.delivered, 0u);
    }
    let total = partials_total(min(workgroups, MAX_WORKGROUPS), invocation);
    return Finished(is_last, outcome_of(total, workgroups * WORKGROUP_SIZE));
}

@if(memory) var<workgroup> ticket_is_last: u32;
