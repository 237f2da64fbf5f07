// The end of a launch once more, where the device's arithmetic may not be right.

// As `partials_combine`, of any values.
fn launch_care(job: Params, is_only_block: bool, lane_index: u32) -> Acc {
    let end = job.first_node + (job.end >> job.log2_block_items);
    if !is_only_block {
        let span = Span(job.first_node, end);
        nodes_combine_any(0u, 0u, job.log2_span, job.log2_block_items, span, lane_index);
    }
    workgroupBarrier();
    var total = op_identity();
    if lane_index == 0u {
        total = runs_care(job, end);
    }
    workgroupBarrier();
    if (job.flags & FLAG_ENDS) == 0u && lane_index < LEVELS {
        scratch_store(job.state_after + lane_index, runs_after[lane_index]);
    }
    return total;
}

// As `span_push`, and then `runs_fold`: in one loop, as there is one addition.
fn runs_care(job: Params, end: u32) -> Acc {
    let level = job.log2_block_items + job.log2_span;
    let is_done = end >> job.log2_span != 0u;
    var at = level;
    var total = nodes[0];
    var is_first = true;
    for (var i = 0u; i < 2u * LEVELS; i++) {
        if i == LEVELS {
            if is_done {
                runs_after[min(at, LEVELS - 1u)] = total;
            }
            total = op_identity();
        }
        var left = runs_after[0];
        var right = total;
        var combines = false;
        if i < LEVELS {
            if i >= level && (job.flags & FLAG_RESUMES) != 0u {
                runs_after[i] = runs_before[i];
            }
            combines = i >= level && is_done && at == i && ((job.span >> (i - level)) & 1u) == 1u;
            left = runs_after[i];
            at += select(0u, 1u, combines);
        } else {
            let from_level = 2u * LEVELS - 1u - i;
            let bits = select(
                job.len_low >> (from_level & 31u),
                job.len_high >> (from_level & 31u),
                from_level >= 32u,
            );
            right = runs_after[from_level];
            left = total;
            let is_there = (bits & 1u) == 1u;
            combines = is_there && !is_first;
            if is_there && is_first {
                total = right;
            }
            is_first = is_first && !is_there;
        }
        if combines {
            total = op_combine_any(left, right);
        }
    }
    return total;
}
