// The sum of a subgroup's lanes.
fn subgroup_sum(value: Value) -> Value {
    var sum = value;
    for (var mask = 1u; mask < SUBGROUP_SIZE; mask <<= 1u) {
        sum += subgroupShuffleXor(sum, mask);
    }
    return sum;
}

// A lane's share of the partials.
fn partials_sum(lane: u32) -> Value {
    var sum = Value();
    for (var i = lane; i < LANES / SUBGROUP_SIZE; i += SUBGROUP_SIZE) {
        sum += partials[i];
    }
    return sum;
}
