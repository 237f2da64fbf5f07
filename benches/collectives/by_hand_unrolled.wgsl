// As by_hand.wgsl, with loops written turn by turn: wgpu counts the turns of loops, and then drivers don't unroll them.

const LANES = 256u;
override SUBGROUP_SIZE: u32 = 32u;

var<workgroup> partials: array<Value, 64>;

fn group_sum(value: Value, lane: u32, subgroup: u32) -> Value {
    var sum = value;
    if SUBGROUP_SIZE > 1u {
        sum += subgroupShuffleXor(sum, 1u);
    }
    if SUBGROUP_SIZE > 2u {
        sum += subgroupShuffleXor(sum, 2u);
    }
    if SUBGROUP_SIZE > 4u {
        sum += subgroupShuffleXor(sum, 4u);
    }
    if SUBGROUP_SIZE > 8u {
        sum += subgroupShuffleXor(sum, 8u);
    }
    if SUBGROUP_SIZE > 16u {
        sum += subgroupShuffleXor(sum, 16u);
    }
    if SUBGROUP_SIZE > 32u {
        sum += subgroupShuffleXor(sum, 32u);
    }
    if SUBGROUP_SIZE > 64u {
        sum += subgroupShuffleXor(sum, 64u);
    }
    workgroupBarrier();
    if lane == 0u {
        partials[subgroup] = sum;
    }
    workgroupBarrier();
    // Small subgroups have several of these in a lane.
    var total = Value();
    if lane < LANES / SUBGROUP_SIZE {
        total = partials[lane];
    }
    if SUBGROUP_SIZE * SUBGROUP_SIZE < LANES {
        for (var i = lane + SUBGROUP_SIZE; i < LANES / SUBGROUP_SIZE; i += SUBGROUP_SIZE) {
            total += partials[i];
        }
    }
    if SUBGROUP_SIZE > 1u {
        total += subgroupShuffleXor(total, 1u);
    }
    if SUBGROUP_SIZE > 2u {
        total += subgroupShuffleXor(total, 2u);
    }
    if SUBGROUP_SIZE > 4u {
        total += subgroupShuffleXor(total, 4u);
    }
    if SUBGROUP_SIZE > 8u {
        total += subgroupShuffleXor(total, 8u);
    }
    if SUBGROUP_SIZE > 16u {
        total += subgroupShuffleXor(total, 16u);
    }
    if SUBGROUP_SIZE > 32u {
        total += subgroupShuffleXor(total, 32u);
    }
    if SUBGROUP_SIZE > 64u {
        total += subgroupShuffleXor(total, 64u);
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
