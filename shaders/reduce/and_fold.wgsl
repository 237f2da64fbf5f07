// A single pass: the last workgroup to deliver its total folds the partials. No workgroup waits for another: when the last
// one comes, the others are done.
//
// This is sound where memory is coherent and a barrier makes what is before it visible to all workgroups: on Vulkan naga's
// storage barriers are of the device's scope, on DX12 of the device's memory. Elsewhere there is no such kernel.

var<workgroup> is_last: u32;

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let total = block_reduce(job, workgroup, invocation);
    let lane_index = lane_index_of(workgroup, invocation);
    if lane_index == 0u {
        scratch_store(job.partials + job.block, total);
    }
    if job.block + 1u == job.blocks {
        runs_leave(job, lane_index);
    }
    // All that is there before this workgroup counts,
    storageBarrier();
    if lane_index == 0u {
        let before = atomicAdd(&scratch.delivered, 1u);
        is_last = select(0u, 1u, before + 1u == job.blocks);
    }
    unsafe_clear(lane_index);
    if workgroupUniformLoad(&is_last) == 0u {
        return;
    }
    // and the workgroup that has counted them all, finds all of it.
    storageBarrier();
    // This workgroup may not have been the launch's first, which took the runs before it.
    runs_clear(job, lane_index);
    launch_end(job, total, false, workgroup, invocation);
    if lane_index == 0u {
        // For the next reduction.
        atomicStore(&scratch.delivered, 0u);
    }
}
