// Elements of a byte: a workgroup counts how often its block has each byte, and then adds these counts to the totals of bins. So it looks for
// the bin of a byte once, not for that of each element.

// Each byte has 16 counts, but for the last one: there is no room for half of its own.
const LOG2_COPIES = 4u;

fn byte_add(lane_index: u32, byte: u32, count: u32) {
    let place = count_place(LOG2_COPIES, byte, lane_index);
    atomicAdd(&counts[select(place, place - 8u, place >= LOCAL_COUNTS)], count);
}

// All counts of a byte. Each lane begins with another one, so that lanes load from all banks of the memory.
fn byte_count(byte: u32) -> u32 {
    var count = 0u;
    for (var copy = 0u; copy < (1u << LOG2_COPIES); copy++) {
        let place = count_place(LOG2_COPIES, byte, byte + copy);
        if place < LOCAL_COUNTS {
            count += atomicLoad(&counts[place]);
        }
    }
    return count;
}

fn words_load(index: u32) -> vec4<u32> {
    let packs = packs_load(index);
    return vec4<u32>(packs[0], packs[1], packs[2], packs[3]);
}

fn word_add(lane_index: u32, word: u32) {
    byte_add(lane_index, word & 255u, 1u);
    byte_add(lane_index, (word >> 8u) & 255u, 1u);
    byte_add(lane_index, (word >> 16u) & 255u, 1u);
    byte_add(lane_index, word >> 24u, 1u);
}

fn kernel(workgroup: WorkgroupBuiltins, invocation: InvocationBuiltins) {
    let job = job_of(workgroup);
    let lane_index = lane_index_of(workgroup, invocation);
    counts_clear(LOCAL_COUNTS, lane_index);
    workgroupBarrier();
    let begin = job.block << job.log2_block_items;
    let end = min(job.end, (job.block + 1u) << job.log2_block_items);
    let whole_end = min(end, job.vec_end);
    // A lane's next elements are on their way while it counts some.
    var next = vec4<u32>();
    if begin + 16u * lane_index + 16u <= whole_end {
        next = words_load(begin + 16u * lane_index + job.base);
    }
    for (var round = begin; round < end; round += ROUND_ITEMS) {
        let at = round + 16u * lane_index;
        let index = at + job.base;
        if at + 16u <= whole_end {
            let words = next;
            if at + ROUND_ITEMS + 16u <= whole_end {
                next = words_load(index + ROUND_ITEMS);
            }
            let byte = words.x & 255u;
            // Where many are equal, lanes wait less if these are added as a whole.
            if all(words == vec4<u32>(byte * 0x01010101u)) {
                byte_add(lane_index, byte, 16u);
            } else {
                word_add(lane_index, words.x);
                word_add(lane_index, words.y);
                word_add(lane_index, words.z);
                word_add(lane_index, words.w);
            }
        } else {
            for (var i = 0u; i < 16u; i++) {
                if at + i < end {
                    byte_add(lane_index, top_load(index + i) >> 24u, 1u);
                }
            }
        }
    }
    workgroupBarrier();
    let first = edge_load(0u);
    let last = edge_load(job.bins);
    for (var byte = lane_index; byte < 256u; byte += WORKGROUP_SIZE) {
        let count = byte_count(byte);
        let bin = bin_of(job, first, last, elems_of_tops(vec4<u32>(byte << 24u)).x);
        if (count > 0u) & (bin != NO_BIN) {
            total_add(job, bin, count);
        }
    }
}
