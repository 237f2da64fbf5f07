// The first pass over numbers of groups: how many elements of each group a block has.

@group(0) @binding(3) var<storage, read_write> entries: array<u32>;

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    counts_clear(lane_index);
    workgroupBarrier();
    let begin = block_of(job) << job.log2_block_items;
    let end = min(job.end, begin + (1u << job.log2_block_items));
    for (var at = begin + lane_index; at < end; at += WORKGROUP_SIZE) {
        let group = group_of(job, at, end);
        if group < job.partials {
            count_add(group, 1u);
        }
    }
    workgroupBarrier();
    for (var group = lane_index; group < job.partials; group += WORKGROUP_SIZE) {
        entries[entry_of(job, group)] = count_of(group);
    }
}
