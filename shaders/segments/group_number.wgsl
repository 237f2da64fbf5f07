// The numbers of groups: which one each element belongs to. A workgroup counts those of its block in its memory, two counts in a word: a block has
// at most 2^15 elements.

@group(0) @binding(2) var<storage, read> numbers: array<u32>;

const MAX_GROUPS = 4096u;

var<workgroup> counts: array<atomic<u32>, 2048>;

// The group of an element, or the number behind all groups, if there is no such element or no such group.
fn group_of(job: Params, at: u32, end: u32) -> u32 {
    if at < end {
        return min(numbers[(job.numbers_head_bytes + at * job.numbers_stride_bytes) >> 2u], job.groups);
    }
    return job.groups;
}

fn counts_clear(lane_index: u32) {
    for (var word = lane_index; word < MAX_GROUPS / 2u; word += WORKGROUP_SIZE) {
        atomicStore(&counts[word], 0u);
    }
}

fn count_add(group: u32, count: u32) {
    atomicAdd(&counts[group >> 1u], count << (16u * (group & 1u)));
}

fn count_of(group: u32) -> u32 {
    return (atomicLoad(&counts[group >> 1u]) >> (16u * (group & 1u))) & 0xffffu;
}

fn block_of(job: Params) -> u32 {
    return job.first_block + job.block;
}

// Where a block has its entry for a group: groups come one after another, with their blocks in order.
fn entry_of(job: Params, group: u32) -> u32 {
    return group * job.all_blocks + block_of(job);
}

// The first pass over numbers of groups: how many elements of each group a block has.

@if(counts) @group(0) @binding(3) var<storage, read_write> entries: array<u32>;

@if(counts) fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    counts_clear(lane_index);
    workgroupBarrier();
    let begin = block_of(job) << job.log2_block_items;
    let end = min(job.end, begin + (1u << job.log2_block_items));
    for (var at = begin + lane_index; at < end; at += WORKGROUP_SIZE) {
        let group = group_of(job, at, end);
        if group < job.groups {
            count_add(group, 1u);
        }
    }
    workgroupBarrier();
    for (var group = lane_index; group < job.groups; group += WORKGROUP_SIZE) {
        entries[entry_of(job, group)] = count_of(group);
    }
}
