// The last of three passes: a workgroup writes the flagged elements of its block to where they belong, in order. Where the others are kept
// too, they come behind all that are flagged.

@group(0) @binding(4) var<storage, read_write> output: array<u32>;

// How many elements are flagged in lanes up to and with each, of four rows: 16 bits each. Twice: a step reads one half, and writes the other.
var<workgroup> ranks: array<vec2<u32>, 512>;
// A row's positions: those of flagged elements, and then the others.
var<workgroup> staged: array<u32, ROW_ITEMS>;

// Where in the output's binding an item stands, counted from the first one that it has. No item is as high as what stands for others.
fn window_index(job: Params, to: vec2<u32>) -> u32 {
    let index = position_subtract(to, vec2<u32>(job.len_low, job.len_high));
    return select(0xffffffffu, index.x, index.y == 0u);
}

fn flags_count(flags: u32) -> vec2<u32> {
    let first = countOneBits(flags & 0xfu) | (countOneBits(flags & 0xf0u) << 16u);
    return vec2<u32>(first, countOneBits(flags & 0xf00u) | (countOneBits(flags & 0xf000u) << 16u));
}

// The number of a row.
fn count_of_row(counts: vec2<u32>, row: u32) -> u32 {
    return (select(counts.x, counts.y, row >= 2u) >> (16u * (row & 1u))) & 0xffffu;
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    let keeps_rest = (job.flags & FLAG_KEEPS_REST) != 0u;
    let end = block_end_of(job);
    let all = entries[job.span].xy;
    let entry = entries[job.first_node + job.block];
    var before = entry.xy;
    var last = entry.zw;
    for (var round = block_begin_of(job); round < end; round += ROUND_ITEMS) {
        let flags = flags_of(job, round, end, lane_index);
        let own = flags_count(flags);
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
        let rank = ranks[from_half + lane_index] - own;
        let counts = ranks[from_half + WORKGROUP_SIZE - 1u];
        for (var row = 0u; row < 4u; row++) {
            let count = count_of_row(counts, row);
            let row_begin = round + row * ROW_ITEMS;
            var slot = count_of_row(rank, row);
            for (var i = 0u; i < 4u; i++) {
                let place = 4u * lane_index + i;
                let is_flagged = ((flags >> (4u * row + i)) & 1u) != 0u;
                staged[select(count + place - slot, slot, is_flagged)] = row_begin + place;
                slot += select(0u, 1u, is_flagged);
            }
            workgroupBarrier();
            for (var i = 0u; i < 4u; i++) {
                let place = i * WORKGROUP_SIZE + lane_index;
                let at = staged[place];
                if place < count {
                    var last_before = last;
                    if place > 0u {
                        last_before = position_of(job, staged[place - 1u] + 1u);
                    }
                    item_emit(job, position_add(before, vec2<u32>(place, 0u)), at, last_before);
                } else if keeps_rest && at < end {
                    // Behind all that are flagged, as many as there are before this one that are not.
                    let others = position_subtract(position_of(job, row_begin), before);
                    let to = position_add(all, position_add(others, vec2<u32>(place - count, 0u)));
                    item_emit(job, to, at, last);
                }
            }
            if count > 0u {
                last = position_of(job, staged[count - 1u] + 1u);
            }
            before = position_add(before, vec2<u32>(count, 0u));
            workgroupBarrier();
        }
    }
    if lane_index == 0u && job.block + 1u == job.blocks && (job.flags & FLAG_ENDS) != 0u {
        last_emit(job, before, last);
    }
}
