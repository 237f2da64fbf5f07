// Before all launches: no bin has any elements. A block is of words of the output.

@group(0) @binding(4) var<storage, read_write> totals: array<u32>;

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, (job.block + 1u) << job.log2_block_items);
    for (var row = begin; row < end; row += WORKGROUP_SIZE) {
        let word = row + lane_index;
        if word < end {
            totals[job.result_index + word] = 0u;
        }
    }
}
