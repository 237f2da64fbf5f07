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
    let is_tree = (job.flags & FLAG_IS_TREE) != 0u;
    var result = total;
    if !(is_tree && is_only_block) {
        // What the block before has is read to its end.
        workgroupBarrier();
        unsafe_clear(lane_index);
        workgroupBarrier();
        if is_only_block {
            if lane_index == 0u {
                nodes[job.first_node] = total;
            }
        } else {
            partials_take(job, lane_index);
        }
        runs_check(job, job.first_node, job.log2_block_items, job.log2_span, lane_index);
        let above = job.log2_block_items + job.log2_span;
        runs_check(job, job.span, above, LEVELS - above, lane_index);
        if unsafe_load() {
            result = launch_care(job, is_only_block, lane_index);
        } else if is_tree {
            result = nodes_reduce(job.blocks, workgroup, invocation);
        } else {
            result = partials_combine(job, is_only_block, lane_index);
        }
    }
    if (job.flags & FLAG_ENDS) != 0u && lane_index == 0u {
        result_store(job.result_index, result);
    }
}

// Partials become nodes, and the runs come back that the last block has left.
fn partials_take(job: Params, lane_index: u32) {
    var range = range_start();
    for (var i = lane_index; i < job.blocks; i += WORKGROUP_SIZE) {
        let partial = scratch_load(job.partials + i);
        range = range_include_acc(range, partial);
        nodes[job.first_node + i] = partial;
    }
    // The launch ends within its last block, which has no total then.
    if lane_index < job.log2_block_items && ((job.end >> lane_index) & 1u) == 1u {
        let run = scratch_load(job.state_after + lane_index);
        range = range_include_acc(range, run);
        runs_after[lane_index] = run;
    }
    if CHECKS_RANGE && !range_is_safe(range) {
        atomicStore(&has_unsafe, 1u);
    }
}

// Nodes and runs to the state after the launch; and in lane 0 the result of all.
fn partials_combine(job: Params, is_only_block: bool, lane_index: u32) -> Acc {
    let end = job.first_node + (job.end >> job.log2_block_items);
    if !is_only_block {
        let span = Span(job.first_node, end);
        nodes_combine(0u, 0u, job.log2_span, job.log2_block_items, span, lane_index);
    }
    workgroupBarrier();
    var total = op_identity();
    if lane_index == 0u {
        span_push(job, end);
        if (job.flags & FLAG_ENDS) != 0u {
            total = runs_fold(job);
        }
    }
    workgroupBarrier();
    if (job.flags & FLAG_ENDS) == 0u && lane_index < LEVELS {
        scratch_store(job.state_after + lane_index, runs_after[lane_index]);
    }
    return total;
}

// The span that the launch's blocks are in goes on among the runs above it, if it is done.
fn span_push(job: Params, end: u32) {
    let level = job.log2_block_items + job.log2_span;
    if (job.flags & FLAG_RESUMES) != 0u {
        for (var i = level; i < LEVELS; i++) {
            runs_after[i] = runs_before[i];
        }
    }
    if end >> job.log2_span != 0u {
        var run = nodes[0];
        var at = level;
        for (var up = level; up < LEVELS; up++) {
            if at == up && ((job.span >> (up - level)) & 1u) == 1u {
                run = op_combine(runs_after[up], run);
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
    let highest = select(firstLeadingBit(job.len_low), 32u + firstLeadingBit(job.len_high), job.len_high != 0u);
    for (var i = 0u; i <= min(highest, LEVELS - 1u); i++) {
        let level = highest - i;
        let bits = select(job.len_low >> (level & 31u), job.len_high >> (level & 31u), level >= 32u);
        if (bits & 1u) == 1u {
            if is_first {
                total = runs_after[level];
            } else {
                total = op_combine(total, runs_after[level]);
            }
            is_first = false;
        }
    }
    return total;
}
