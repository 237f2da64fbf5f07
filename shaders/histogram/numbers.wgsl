// The number of each element's bin, or NO_BIN. Numbers take the place of totals.

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let first = edge_load(0u);
    let last = edge_load(job.initial_low);
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, (job.block + 1u) << job.log2_block_items);
    for (var row = begin; row < end; row += WORKGROUP_SIZE) {
        let at = row + lane_index;
        if at < end {
            let value = elem_load(INDEX_STEP * at + job.base);
            atomicStore(&totals[job.result_index + at], bin_of(job, first, last, value));
        }
    }
}
