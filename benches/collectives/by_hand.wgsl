// Sums of a workgroup's lanes, one after another, by shuffles as one writes them by hand for a device whose subgroups have one known size.

const LANES = 256u;
override SUBGROUP_SIZE: u32 = 32u;

var<workgroup> partials: array<Value, 64>;

fn group_sum(value: Value, lane: u32, subgroup: u32) -> Value {
    var sum = value;
    for (var mask = 1u; mask < SUBGROUP_SIZE; mask <<= 1u) {
        sum += subgroupShuffleXor(sum, mask);
    }
    workgroupBarrier();
    if lane == 0u {
        partials[subgroup] = sum;
    }
    workgroupBarrier();
    var total = Value();
    for (var i = lane; i < LANES / SUBGROUP_SIZE; i += SUBGROUP_SIZE) {
        total += partials[i];
    }
    for (var mask = 1u; mask < SUBGROUP_SIZE; mask <<= 1u) {
        total += subgroupShuffleXor(total, mask);
    }
    return total;
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
