// Blocks that the launch has a part of, or that are not safe. Slow, and right for any.

// Steps for a round: its four rows, and what they come to.
const ROUND_STEPS = 5u;

// Combines what teams have made of rounds, and the elements of those rounds that have an edge, to the block's total, or its
// runs. Valid in every lane.
//
// All goes through one loop, because a combination of any values is long, and code that is skipped costs time, too.
fn block_combine(
    job: Params,
    rounds: Rounds,
    log2_teams: u32,
    lane_index: u32,
) -> Acc {
    let block_begin = block_begin_of(job);
    let log2_rounds = job.log2_block_items - LOG2_ROUND_ITEMS;
    // First the teams of each round; of each round with an edge the rows, and what they come to; and at last the rounds.
    let last_step = ROUND_STEPS * edge_count(rounds) + 1u;
    for (var step = 0u; step <= last_step; step++) {
        let is_first = step == 0u;
        let is_last = step == last_step;
        let round = edge_round(rounds, (max(step, 1u) - 1u) / ROUND_STEPS);
        let row = (max(step, 1u) - 1u) % ROUND_STEPS;
        let at = block_begin + round * ROUND_ITEMS;
        let row_at = at + row * ROW_ITEMS;
        let is_missing = (row < 4u) & ((job.end <= row_at) | (row_at + ROW_ITEMS <= job.begin));
        if !is_first & !is_last & is_missing {
            continue;
        }
        var first = MAX_NODES;
        var log2_stride = 0u;
        var levels = LOG2_ROW_ITEMS - 2u;
        var level = 2u;
        var span = span_up(span_from(job, row_at, ROW_ITEMS), level);
        if is_first {
            // Those of rounds with an edge mean nothing.
            first = 0u;
            levels = log2_teams;
            span = Span(0u, rounds.whole_end << log2_teams);
        } else if is_last {
            first = 0u;
            log2_stride = log2_teams;
            levels = log2_rounds;
            level = LOG2_ROUND_ITEMS;
            span = span_up(span_from(job, block_begin, 1u << job.log2_block_items), level);
        } else if row == 4u {
            first = MAX_NODES + WORKGROUP_SIZE;
            levels = 2u;
            level = LOG2_ROW_ITEMS;
            span = span_up(span_from(job, at, ROUND_ITEMS), level);
        } else {
            // The row before is read to its end.
            workgroupBarrier();
            nodes[first + lane_index] = quad_combine(job, row_at, 4u * lane_index);
        }
        nodes_combine(first, log2_stride, levels, level, span, lane_index);
        workgroupBarrier();
        if (lane_index == 0u) & !is_first & !is_last {
            if row == 4u {
                nodes[round << log2_teams] = nodes[first];
            } else {
                nodes[MAX_NODES + WORKGROUP_SIZE + row] = nodes[first];
            }
        }
    }
    return nodes[0];
}

// A lane's vector of a row to a run of level 2, or its parts to runs below.
fn quad_combine(job: Params, row_at: u32, first: u32) -> Acc {
    let span = span_from(job, row_at, ROW_ITEMS);
    let items = items_load4(job, row_at + first);
    var even = items.x;
    var odd = items.z;
    // Where the launch begins and ends in this vector: 0 is nowhere.
    let begin = select(0u, span.begin - first, (span.begin > first) & (span.begin - first < 4u));
    let end = select(0u, span.end - first, (span.end > first) & (span.end - first < 4u));
    if begin == 1u {
        even = runs_before[0];
    }
    if begin == 3u {
        odd = runs_before[0];
    }
    if end == 1u {
        runs_after[0] = even;
    }
    if end == 3u {
        runs_after[0] = odd;
    }
    var left = even;
    var right = items.y;
    var first_half = even;
    // A bound that compilers do not know, so that they make one combination of three, nor drivers that know the parameters.
    let nothing = nothing_of(job) & row_at;
    for (var i = 0u; i < 3u + nothing; i++) {
        let combined = op_combine_any(left, right);
        if i == 0u {
            first_half = combined;
            if begin >= 2u {
                first_half = runs_before[1];
            }
            if end >= 2u {
                runs_after[1] = first_half;
            }
            left = odd;
            right = items.w;
        } else {
            left = acc_select(first_half, combined, i == 2u);
            right = combined;
        }
    }
    return left;
}
