// The second pass: a workgroup folds the partials of its job.
fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_load(workgroup, invocation);
    let lane_index = lane_index_of(workgroup, invocation);
    unsafe_clear(lane_index);
    runs_clear(job, lane_index);
    workgroupBarrier();
    launch_end(job, op_identity(), false, workgroup, invocation);
}

// A pass between the two, where a launch has more blocks than a workgroup has room for: a workgroup makes one partial of 2^log2_span neighbours.
// `block` and `blocks` count these groups, and their partials are behind those that they are made of.
@if(to_partials) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let count = 1u << job.log2_span;
    unsafe_clear(lane_index);
    workgroupBarrier();
    var range = range_start();
    for (var i = lane_index; i < count; i += WORKGROUP_SIZE) {
        let partial = scratch_load(job.partials + job.block * count + i);
        range = range_include_acc(range, partial);
        nodes[i] = partial;
    }
    if CHECKS_RANGE & !range_is_safe(range) {
        atomicStore(&has_unsafe, 1u);
    }
    var total = op_identity();
    var is_done = !unsafe_load();
    if is_done {
        total = nodes_reduce(count, workgroup, invocation);
        is_done = totals_are_right(total, lane_index);
    }
    if !is_done {
        nodes_combine(0u, 0u, job.log2_span, job.log2_block_items, Span(0u, count), lane_index);
        total = nodes[0];
    }
    if lane_index == 0u {
        scratch_store(job.partials + job.blocks * count + job.block, total);
    }
}
