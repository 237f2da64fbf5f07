// The second of three passes: a workgroup makes of the blocks' totals what is before each block, and the number of all.

@group(0) @binding(4) var<storage, read_write> result: array<u32>;

// Those of lanes up to and with each, twice: a step reads one half, and writes the other.
var<workgroup> sums: array<vec4<u32>, 512>;

fn totals_join(before: vec4<u32>, after: vec4<u32>) -> vec4<u32> {
    let last = select(before.zw, after.zw, any(after.zw != vec2<u32>(0u, 0u)));
    return vec4<u32>(position_add(before.xy, after.xy), last);
}

fn block_total(job: Params, block: u32) -> vec4<u32> {
    if block < job.blocks {
        return entries[job.entries_of_blocks + block];
    }
    return vec4<u32>();
}

fn block_before_store(job: Params, block: u32, before: vec4<u32>) {
    if block < job.blocks {
        entries[job.entries_before + block] = before;
    }
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    var before = vec4<u32>();
    for (var first = 0u; first < job.blocks; first += ROW_ITEMS) {
        let block = first + 4u * lane_index;
        let a = block_total(job, block);
        let b = block_total(job, block + 1u);
        let c = block_total(job, block + 2u);
        let d = block_total(job, block + 3u);
        sums[lane_index] = totals_join(totals_join(a, b), totals_join(c, d));
        var from_half = 0u;
        for (var reach = 1u; reach < WORKGROUP_SIZE; reach <<= 1u) {
            workgroupBarrier();
            var sum = sums[from_half + lane_index];
            if lane_index >= reach {
                sum = totals_join(sums[from_half + lane_index - reach], sum);
            }
            from_half = WORKGROUP_SIZE - from_half;
            sums[from_half + lane_index] = sum;
        }
        workgroupBarrier();
        var own = before;
        if lane_index > 0u {
            own = totals_join(before, sums[from_half + lane_index - 1u]);
        }
        block_before_store(job, block, own);
        own = totals_join(own, a);
        block_before_store(job, block + 1u, own);
        own = totals_join(own, b);
        block_before_store(job, block + 2u, own);
        own = totals_join(own, c);
        block_before_store(job, block + 3u, own);
        before = totals_join(before, sums[from_half + WORKGROUP_SIZE - 1u]);
        workgroupBarrier();
    }
    if lane_index == 0u {
        entries[job.entry_of_all] = before;
        result[job.count_word] = before.x;
        result[job.count_word + 1u] = before.y;
    }
}
