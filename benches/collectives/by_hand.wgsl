// Sums of a workgroup's lanes, one after another, by shuffles as one writes them by hand for a device whose subgroups have one known size.
// `subgroup_sum` and `partials_sum` are in by_hand_loops.wgsl or by_hand_turns.wgsl.

const LANES = 256u;
override SUBGROUP_SIZE: u32 = 32u;

// One of each subgroup, where no subgroup has less than 4 lanes.
var<workgroup> partials: array<Value, 64>;

fn group_sum(value: Value, lane: u32, subgroup: u32) -> Value {
    let sum = subgroup_sum(value);
    workgroupBarrier();
    if lane == 0u {
        partials[subgroup] = sum;
    }
    workgroupBarrier();
    return subgroup_sum(partials_sum(lane));
}

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup_id: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
    @builtin(num_subgroups) num_subgroups: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let number = workgroup_id.x * LANES + index;
    let first = first_value(number);
    var value = next_value(first, Value(params.zero));
    var total = value;
    for (var round = 0u; round < params.rounds; round++) {
        total = group_sum(value, lane, subgroup);
        value = next_value(first, total);
    }
    output[number] = total;
}
