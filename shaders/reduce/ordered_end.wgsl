// The end of a launch of an operator that has an order: its blocks' totals become the result, or the state that the next
// launch goes on from.

// What a launch has: as many partials as blocks, or, of a single block, its total.
fn launch_end(
    job: Params,
    total: Acc,
    is_only_block: bool,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let lane_index = lane_index_of(workgroup, invocation);
    if is_only_block && (job.flags & FLAG_IS_TREE) != 0u {
        if lane_index == 0u {
            result_store(job.result_index, total);
        }
        return;
    }
    let end = job.first_node + (job.end >> job.log2_block_items);
    // As many as two spans have, if the launch needs both.
    let needs_two = job.first_node + job.blocks > 1u << job.log2_span;
    let log2_count = job.log2_span + select(0u, 1u, needs_two);
    let log2_lanes = firstLeadingBit(WORKGROUP_SIZE);
    let lane_levels = max(log2_count, log2_lanes) - log2_lanes;
    let log2_nodes = log2_count - lane_levels;
    let span = Span(job.first_node, end);

    if is_only_block {
        if lane_index == 0u {
            nodes[job.first_node] = total;
        }
    } else {
        runs_take(job, lane_index);
        // The nodes of the block before are still read.
        workgroupBarrier();
        let first = lane_index << lane_levels;
        for (var i = 0u; i < (1u << lane_levels); i++) {
            lane_runs[i] = partial_or_identity(job, first + i);
        }
        let mine = lane_runs_reduce(lane_levels, job.log2_block_items, first, span);
        if lane_index < (1u << log2_nodes) {
            nodes[lane_index] = mine;
        }
        if (job.flags & FLAG_IS_TREE) != 0u {
            var is_safe = true;
            if CHECKS_RANGE {
                if !range_is_safe(range_include_acc(range_start(), mine)) {
                    atomicStore(&has_unsafe, 1u);
                }
                is_safe = workgroupUniformLoad(&has_unsafe) == 0u;
            }
            workgroupBarrier();
            let tree = nodes_reduce(1u << log2_nodes, is_safe, workgroup, invocation);
            if lane_index == 0u {
                result_store(job.result_index, tree);
            }
            return;
        }
    }
    let levels = job.log2_span - lane_levels;
    let level = job.log2_block_items + lane_levels;
    nodes_reduce_runs(0u, log2_nodes, levels, level, span_up(span, lane_levels), lane_index);
    if lane_index == 0u {
        spans_push(job, end, levels);
    }
    workgroupBarrier();
    if (job.flags & FLAG_ENDS) == 0u {
        if lane_index < LEVELS {
            scratch_store(job.state_after + lane_index, runs_after[lane_index]);
        }
    } else if lane_index == 0u {
        result_store(job.result_index, runs_fold(job));
    }
}

fn partial_or_identity(job: Params, index: u32) -> Acc {
    var acc = op_identity();
    if index >= job.first_node && index - job.first_node < job.blocks {
        acc = scratch_load(job.partials + index - job.first_node);
    }
    return acc;
}

// The runs that the launch's last block has left, if the launch ends within it.
fn runs_take(job: Params, lane_index: u32) {
    if lane_index < job.log2_block_items && ((job.end >> lane_index) & 1u) == 1u {
        runs_after[lane_index] = scratch_load(job.state_after + lane_index);
    }
}

// The whole spans that the launch has, one or two, go on among the runs above them.
fn spans_push(job: Params, end: u32, levels: u32) {
    let level = job.log2_block_items + job.log2_span;
    if (job.flags & FLAG_RESUMES) != 0u {
        for (var i = level; i < LEVELS; i++) {
            runs_after[i] = runs_before[i];
        }
    }
    for (var i = 0u; i < (end >> job.log2_span); i++) {
        var run = nodes[i << levels];
        var index = job.span + i;
        var at = level;
        for (var up = level; up < LEVELS; up++) {
            if at == up && (index & 1u) == 1u {
                run = op_combine_any(runs_after[at], run);
                index >>= 1u;
                at += 1u;
            }
        }
        runs_after[min(at, LEVELS - 1u)] = run;
    }
}

// The runs of the whole sequence, longest first.
fn runs_fold(job: Params) -> Acc {
    var total = op_identity();
    var is_first = true;
    for (var i = 0u; i < LEVELS; i++) {
        let level = LEVELS - 1u - i;
        let bits = select(job.len_low >> (level & 31u), job.len_high >> (level & 31u), level >= 32u);
        if (bits & 1u) == 1u {
            if is_first {
                total = runs_after[level];
            } else {
                total = op_combine_any(total, runs_after[level]);
            }
            is_first = false;
        }
    }
    return total;
}
