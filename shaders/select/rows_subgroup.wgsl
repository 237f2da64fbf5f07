// What subgroups tell each other of a round, of which each has a part.

const MAX_SUBGROUPS = WORKGROUP_SIZE / MIN_SUBGROUP_SIZE;

// What the subgroups have flagged of a round, and the positions behind the last ones, or 0. Twice: of two rounds.
var<workgroup> totals: array<u32, 2u * MAX_SUBGROUPS>;
var<workgroup> ends: array<u32, 2u * MAX_SUBGROUPS>;

// The largest value of a subgroup's lanes. Where only one lane stored what `subgroupMax` had made, an NVIDIA compiler (580.159) let another lane's
// value take its place. So it is by shuffles. All lanes come here.
fn lanes_max(value: u32, size: u32) -> u32 {
    var largest = value;
    for (var mask = 1u; mask < size; mask <<= 1u) {
        largest = max(largest, subgroupShuffleXor(largest, mask));
    }
    return largest;
}
