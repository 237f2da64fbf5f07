// How many elements of a round's rows are flagged before each lane's, through workgroup memory.

// How many elements are flagged in lanes up to and with each, of four rows: 16 bits each. Twice: a step reads one half, and writes the other.
var<workgroup> ranks: array<vec2<u32>, 512>;

// Of each row, 16 bits each.
fn flags_count(flags: u32) -> vec2<u32> {
    let first = countOneBits(flags & 0xfu) | (countOneBits(flags & 0xf0u) << 16u);
    return vec2<u32>(first, countOneBits(flags & 0xf00u) | (countOneBits(flags & 0xf000u) << 16u));
}

// The number of a row.
fn count_of_row(counts: vec2<u32>, row: u32) -> u32 {
    return (select(counts.x, counts.y, row >= 2u) >> (16u * (row & 1u))) & 0xffffu;
}

// Adds up what lanes have: says in which half `ranks` has it then. All lanes come here; there are barriers.
fn ranks_sum(own: vec2<u32>, lane_index: u32) -> u32 {
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
