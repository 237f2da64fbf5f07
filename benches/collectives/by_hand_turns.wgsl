// As by_hand_loops.wgsl, with loops written turn by turn: wgpu counts the turns of loops, which hinders drivers.

// The sum of a subgroup's lanes.
fn subgroup_sum(value: Value) -> Value {
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
    return sum;
}

// A lane's share of the partials. Only small subgroups have more than one in a lane.
fn partials_sum(lane: u32) -> Value {
    var sum = Value();
    if lane < LANES / SUBGROUP_SIZE {
        sum = partials[lane];
    }
    if SUBGROUP_SIZE * SUBGROUP_SIZE < LANES {
        for (var i = lane + SUBGROUP_SIZE; i < LANES / SUBGROUP_SIZE; i += SUBGROUP_SIZE) {
            sum += partials[i];
        }
    }
    return sum;
}
