// The only pass over elements in groups, of operators whose order changes nothing and for which memory has an atomic: a workgroup combines each
// element of its block into its group's accumulator in workgroup memory. What comes of it are the items of the first level above
// the elements, one for each block, one group after another. So chunks and results go on from there.

@group(0) @binding(6) var<storage, read> numbers: array<u32>;

// As many as fit the least memory of a workgroup that wgpu knows, 16 352 bytes.
const LOCAL_WORDS = 4088u;

var<workgroup> accumulator: array<atomic<AtomicWord>, LOCAL_WORDS>;

fn accumulators_clear(count: u32, lane_index: u32) {
    let identity = op_pack(op_identity());
    for (var i = lane_index; i < count; i += WORKGROUP_SIZE) {
        for (var word = 0u; word < ACC_WORDS; word++) {
            atomicStore(&accumulator[ACC_WORDS * i + word], bitcast<AtomicWord>(identity[word]));
        }
    }
}

fn accumulator_load(index: u32) -> Acc {
    var words: array<u32, ACC_WORDS>;
    for (var word = 0u; word < ACC_WORDS; word++) {
        words[word] = bitcast<u32>(atomicLoad(&accumulator[ACC_WORDS * index + word]));
    }
    return op_unpack(words);
}

// The group of an element, or of none that there is.
fn group_of(job: Params, at: u32, end: u32) -> u32 {
    if at < end {
        return numbers[(job.numbers_head_bytes + at * job.numbers_stride_bytes) >> 2u];
    }
    return job.groups;
}

// Lanes that are next to each other take turns among the accumulators of a group: so fewer of them wait for one another.
fn group_add(job: Params, lane_index: u32, group: u32, item: Acc) {
    if group < job.groups {
        let turn = lane_index & ((1u << job.log2_copies) - 1u);
        accumulate(ACC_WORDS * ((group << job.log2_copies) + turn), item);
    }
}

// Each lane begins with another of a group's accumulators, so that lanes load from all banks of the memory.
fn group_total(job: Params, group: u32) -> Acc {
    let last = (1u << job.log2_copies) - 1u;
    var total = op_identity();
    for (var i = 0u; i <= last; i++) {
        total = op_combine(total, accumulator_load((group << job.log2_copies) + ((group + i) & last)));
    }
    return total;
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    accumulators_clear(job.groups << job.log2_copies, lane_index);
    workgroupBarrier();
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, begin + (1u << job.log2_block_items));
    for (var row = begin; row < end; row += 4u * WORKGROUP_SIZE) {
        // All are on their way at the same time.
        let at = row + lane_index;
        let groups = vec4<u32>(
            group_of(job, at, end),
            group_of(job, at + WORKGROUP_SIZE, end),
            group_of(job, at + 2u * WORKGROUP_SIZE, end),
            group_of(job, at + 3u * WORKGROUP_SIZE, end),
        );
        let item_0 = item_load(job, at);
        let item_1 = item_load(job, at + WORKGROUP_SIZE);
        let item_2 = item_load(job, at + 2u * WORKGROUP_SIZE);
        let item_3 = item_load(job, at + 3u * WORKGROUP_SIZE);
        group_add(job, lane_index, groups.x, item_0);
        group_add(job, lane_index, groups.y, item_1);
        group_add(job, lane_index, groups.z, item_2);
        group_add(job, lane_index, groups.w, item_3);
    }
    workgroupBarrier();
    for (var group = lane_index; group < job.groups; group += WORKGROUP_SIZE) {
        scratch_store(job.totals + group * job.all_blocks + job.block, group_total(job, group));
    }
}
