// For each value its number among the workgroup's values of the same category, and how many each category has: by one scan of packed
// counters, and by a ballot for each category, whose bits are counted.

struct Params {
    len: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> ranks: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
// Of each workgroup five counts.
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

const CATEGORIES = 5u;
// A workgroup has at most 1024 values, which 12 bits hold.
const COUNTER_BITS = 12u;

// Which of the five; 5 beyond the end, which counts for none.
fn category_at(index: u32) -> u32 {
    if index < params.len {
        return min(values[index] / 100u, CATEGORIES - 1u);
    }
    return CATEGORIES;
}

// One more of a category: a bit of 64, the low word first. Beyond the five none.
fn one_of(category: u32) -> vec2<u32> {
    let bit = category * COUNTER_BITS;
    let one = select(vec2<u32>(1u << (bit & 31u), 0u), vec2<u32>(0u, 1u << (bit & 31u)), bit >= 32u);
    return select(vec2<u32>(), one, category < CATEGORIES);
}

fn counter(counters: vec2<u32>, category: u32) -> u32 {
    let bit = category * COUNTER_BITS;
    let low = select(counters.x, counters.y, bit >= 32u) >> (bit & 31u);
    // The third counter lies in both words.
    let high = select(0u, counters.y << ((32u - bit) & 31u), bit < 32u && bit + COUNTER_BITS > 32u);
    return (low | high) & ((1u << COUNTER_BITS) - 1u);
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn by_packed_scan(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let lane = invocation.local_invocation_index;
    let index = workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE + lane;
    let category = category_at(index);
    let before = packed_workgroup_exclusive_scan(one_of(category), workgroup, invocation);
    let total = packed_workgroup_reduce_all(one_of(category), workgroup, invocation);
    if index < params.len {
        ranks[index] = counter(before, category);
    }
    if lane < CATEGORIES {
        counts[workgroup.workgroup_id.x * CATEGORIES + lane] = counter(total, lane);
    }
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn by_ballots(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let lane = invocation.local_invocation_index;
    let index = workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE + lane;
    let category = category_at(index);
    var rank = 0u;
    for (var one = 0u; one < CATEGORIES; one++) {
        let before = gridfold_workgroup_rank(category == one, workgroup, invocation);
        let total = gridfold_workgroup_count(category == one, workgroup, invocation);
        rank = select(rank, before, category == one);
        if lane == 0u {
            counts[workgroup.workgroup_id.x * CATEGORIES + one] = total;
        }
    }
    if index < params.len {
        ranks[index] = rank;
    }
}
