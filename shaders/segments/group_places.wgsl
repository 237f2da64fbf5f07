// The last pass over numbers of groups: each element's number goes to its place in the order, group by group, and in each group as elements come.
// A scan has made places of the counts.

@group(0) @binding(4) var<storage, read_write> places: array<u32>;

// Numbers of groups, and the one of no group, have as many bits at most.
const MAX_BITS = 13u;
// 32 lanes have a bit each in a word.
const MASKS = WORKGROUP_SIZE / 32u;

var<workgroup> groups: array<u32, WORKGROUP_SIZE>;
// Of each bit of a group's number: which lanes' numbers have it.
var<workgroup> masks: array<u32, MAX_BITS * MASKS>;

// Which of 32 lanes have a group with this bit.
fn mask_make(bit: u32, part: u32) -> u32 {
    var mask = 0u;
    for (var i = 0u; i < 32u; i++) {
        // Each part begins elsewhere, so that lanes read from different banks of the memory.
        let lane = (i + part) & 31u;
        mask |= ((groups[32u * part + lane] >> bit) & 1u) << lane;
    }
    return mask;
}

// Which of 32 lanes have this group.
fn lanes_of(group: u32, bits: u32, part: u32) -> u32 {
    var lanes = 0xffffffffu;
    for (var bit = 0u; bit < bits; bit++) {
        let mask = masks[bit * MASKS + part];
        lanes &= select(~mask, mask, ((group >> bit) & 1u) == 1u);
    }
    return lanes;
}

// Which of 32 lanes come before a lane.
fn lanes_before(lane_index: u32, part: u32) -> u32 {
    let own = lane_index >> 5u;
    let within = select(0u, (1u << (lane_index & 31u)) - 1u, part == own);
    return select(within, 0xffffffffu, part < own);
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    counts_clear(lane_index);
    let begin = block_of(job) << job.log2_block_items;
    let end = min(job.end, begin + (1u << job.log2_block_items));
    let bits = 32u - countLeadingZeros(min(job.partials, MAX_GROUPS));
    for (var row = begin; row < end; row += WORKGROUP_SIZE) {
        let at = row + lane_index;
        let group = min(group_of(job, at, end), job.partials);
        let is_of_one = group < job.partials;
        groups[lane_index] = group;
        workgroupBarrier();
        if lane_index < bits * MASKS {
            masks[lane_index] = mask_make(lane_index / MASKS, lane_index % MASKS);
        }
        workgroupBarrier();
        // How many of the row are of the same group, and how many of these come before.
        var count = 0u;
        var before = 0u;
        for (var part = 0u; part < MASKS; part++) {
            let lanes = lanes_of(group, bits, part);
            count += countOneBits(lanes);
            before += countOneBits(lanes & lanes_before(lane_index, part));
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
