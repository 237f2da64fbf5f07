// A histogram of five categories: five counters of 12 bits in 64, so that one sum of a workgroup counts all of them.

struct Params {
    len: u32,
    workgroups: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> histogram: array<atomic<u32>, 5>;

const COUNTER_BITS = 12u;
// A workgroup counts at most 256 times 15, which 12 bits hold.
const VALUES_OF_LANE = 15u;

// Which of the five.
fn category(value: u32) -> u32 {
    return min(value / 100u, 4u);
}

// One more of a category: a bit of 64, the low word first.
fn one_of(category: u32) -> vec2<u32> {
    let bit = category * COUNTER_BITS;
    return select(vec2<u32>(1u << (bit & 31u), 0u), vec2<u32>(0u, 1u << (bit & 31u)), bit >= 32u);
}

fn counter(counters: vec2<u32>, category: u32) -> u32 {
    let bit = category * COUNTER_BITS;
    let low = select(counters.x, counters.y, bit >= 32u) >> (bit & 31u);
    // The third counter lies in both words.
    let high = select(0u, counters.y << ((32u - bit) & 31u), bit < 32u && bit + COUNTER_BITS > 32u);
    return (low | high) & ((1u << COUNTER_BITS) - 1u);
}

@compute @workgroup_size(gridfold_WORKGROUP_SIZE)
fn count(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, @builtin(num_subgroups) num_subgroups: u32) {
    let index = invocation.local_invocation_index;
    let step = params.workgroups * gridfold_WORKGROUP_SIZE;
    var counters = vec2<u32>();
    for (var i = 0u; i < VALUES_OF_LANE; i++) {
        let at = workgroup.workgroup_id.x * gridfold_WORKGROUP_SIZE + index + i * step;
        if at < params.len {
            // No counter overflows into the next, and no low word into the high one.
            counters += one_of(category(values[at]));
        }
    }
    let total = counts_workgroup_reduce_all(counters, workgroup, invocation);
    if index < 5u {
        atomicAdd(&histogram[index], counter(total, index));
    }
}
