// The last pass over numbers of groups: each element's number goes to its place in the order, group by group, and in each group as elements come.
// A scan has made places of the counts.

@group(0) @binding(4) var<storage, read_write> places: array<u32>;

var<workgroup> groups: array<u32, WORKGROUP_SIZE>;

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    counts_clear(lane_index);
    let begin = block_of(job) << job.log2_block_items;
    let end = min(job.end, begin + (1u << job.log2_block_items));
    for (var row = begin; row < end; row += WORKGROUP_SIZE) {
        let at = row + lane_index;
        let group = group_of(job, at, end);
        let is_of_one = group < job.partials;
        groups[lane_index] = group;
        workgroupBarrier();
        // How many of the row are of the same group, and how many of these come before.
        var count = 0u;
        var before = 0u;
        for (var other = 0u; other < WORKGROUP_SIZE; other++) {
            let is_same = groups[other] == group;
            count += select(0u, 1u, is_same);
            before += select(0u, 1u, is_same && other < lane_index);
        }
        if is_of_one {
            let place = places[entry_of(job, group)] + count_of(group) + before;
            places[job.right_base + place] = at;
        }
        workgroupBarrier();
        if is_of_one && before == 0u {
            count_add(group, count);
        }
    }
}
