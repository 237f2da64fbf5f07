// Blocks once more, where the device's arithmetic may not be right: slow, and right for any elements.

// Makes the nodes of rounds that are not safe, or of all, and combines all rounds to the block's total, or its runs.
//
// All of it goes through one loop, so that there is one place for an addition of any floats, which is long: code that is
// skipped costs time, too.
fn block_care(job: Params, rounds: Rounds, log2_teams: u32, takes_all: bool, lane_index: u32) {
    let block_begin = block_begin_of(job);
    // Of each round four rows, and what they come to; and at last the rounds.
    let last = 5u * rounds.end;
    for (var step = 5u * rounds.begin; step <= last; step++) {
        let round = step / 5u;
        let row = step % 5u;
        let at = block_begin + round * ROUND_ITEMS;
        let is_edge = round < rounds.whole_begin || round >= rounds.whole_end;
        let unsafe_bits = workgroupUniformLoad(&unsafe_rounds[min(round, MAX_NODES - 1u) >> 5u]);
        let is_unsafe = ((unsafe_bits >> (round & 31u)) & 1u) == 1u;
        if step < last && !(takes_all || is_edge || is_unsafe) {
            continue;
        }
        var first = MAX_NODES;
        var log2_stride = 0u;
        var levels = 10u;
        var level = 0u;
        var span = span_from(job, at + row * ROW_ITEMS, ROW_ITEMS);
        if step == last {
            first = 0u;
            log2_stride = log2_teams;
            levels = job.log2_block_items - LOG2_ROUND_ITEMS;
            level = LOG2_ROUND_ITEMS;
            span = span_up(span_from(job, block_begin, 1u << job.log2_block_items), level);
        } else if row == 4u {
            first = MAX_NODES + ROW_ITEMS;
            levels = 2u;
            level = 10u;
            span = span_up(span_from(job, at, ROUND_ITEMS), level);
        } else {
            // What was there before is read to its end.
            workgroupBarrier();
            let items = items_load4(job, at + row * ROW_ITEMS + 4u * lane_index);
            nodes[first + 4u * lane_index] = items.x;
            nodes[first + 4u * lane_index + 1u] = items.y;
            nodes[first + 4u * lane_index + 2u] = items.z;
            nodes[first + 4u * lane_index + 3u] = items.w;
        }
        nodes_combine_any(first, log2_stride, levels, level, span, lane_index);
        workgroupBarrier();
        if lane_index == 0u && step < last {
            if row == 4u {
                nodes[round << log2_teams] = nodes[first];
            } else {
                nodes[MAX_NODES + ROW_ITEMS + row] = nodes[first];
            }
        }
    }
    workgroupBarrier();
}
