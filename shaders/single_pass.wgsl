// The last workgroup to deliver its total folds the partials. Nobody waits: the others are done.
//
// This is sound where memory is coherent and a barrier makes what is before it visible to all workgroups: on Vulkan naga's
// storage barriers are of the device's scope, on DX12 of the device's memory. Elsewhere there is no such kernel.

var<workgroup> is_last: u32;

// All lanes come here, after the total was stored.
fn total_done(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let lane_index = lane_index_of(workgroup, invocation);
    // The partial is there before this workgroup counts,
    storageBarrier();
    if lane_index == 0u {
        let before = atomicAdd(&scratch.delivered, 1u);
        is_last = select(0u, 1u, before + 1u == params.workgroups);
    }
    range_flag_clear(lane_index);
    if workgroupUniformLoad(&is_last) == 0u {
        return;
    }
    // and who has counted them all, finds all partials.
    storageBarrier();
    fold_partials(Partials(0u, params.partial_count, FOLD), workgroup, invocation);
    if lane_index == 0u {
        // For the next reduction.
        atomicStore(&scratch.delivered, 0u);
    }
}
