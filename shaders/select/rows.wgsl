// How many elements of a round's rows are flagged before each lane's, through workgroup memory.

// How many elements are flagged in lanes up to and with each, of four rows: 16 bits each. Twice: a step reads one half, and writes the other.
@if(memory) var<workgroup> ranks: array<vec2<u32>, 512>;

// Of each row, 16 bits each.
@if(memory) fn flags_count(flags: u32) -> vec2<u32> {
    let first = countOneBits(flags & 0xfu) | (countOneBits(flags & 0xf0u) << 16u);
    return vec2<u32>(first, countOneBits(flags & 0xf00u) | (countOneBits(flags & 0xf000u) << 16u));
}

// The number of a row.
@if(memory) fn count_of_row(counts: vec2<u32>, row: u32) -> u32 {
    return (select(counts.x, counts.y, row >= 2u) >> (16u * (row & 1u))) & 0xffffu;
}

// Adds up what lanes have: says in which half `ranks` has it then. All lanes come here; there are barriers.
@if(memory) fn ranks_sum(own: vec2<u32>, lane_index: u32) -> u32 {
    ranks[lane_index] = own;
    var from_half = 0u;
    for (var reach = 1u; reach < WORKGROUP_SIZE; reach <<= 1u) {
        workgroupBarrier();
        var sum = ranks[from_half + lane_index];
        if lane_index >= reach {
            sum += ranks[from_half + lane_index - reach];
        }
        from_half = WORKGROUP_SIZE - from_half;
        ranks[from_half + lane_index] = sum;
    }
    workgroupBarrier();
    return from_half;
}

// What subgroups tell each other of a round, of which each has a part.

@if(subgroups) const MAX_SUBGROUPS = WORKGROUP_SIZE / MIN_SUBGROUP_SIZE;

// What the subgroups have flagged of a round, and the positions behind the last ones, or 0. Twice: of two rounds.
@if(subgroups) var<workgroup> totals: array<u32, 2u * MAX_SUBGROUPS>;
@if(subgroups) var<workgroup> ends: array<u32, 2u * MAX_SUBGROUPS>;

// The largest value of a subgroup's lanes. Where only one lane stored what `subgroupMax` had made, an NVIDIA compiler (580.159) let another lane's
// value take its place. So it is by shuffles. All lanes come here.
@if(subgroups) fn lanes_max(value: u32, size: u32) -> u32 {
    var largest = value;
    for (var mask = 1u; mask < size; mask <<= 1u) {
        largest = max(largest, subgroupShuffleXor(largest, mask));
    }
    return largest;
}
