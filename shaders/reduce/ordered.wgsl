// Operators that have an order: pairwise, as docs/float-sums.md says.

// The teams' totals of a block, and the blocks' of a launch: a power of two, in at most NODES_WORDS words, so that all of a kernel's
// memory fits what every device has, and enough workgroups run side by side.
const MAX_NODES = NODES_WORDS >> (32u - countLeadingZeros(max(ACC_WORDS, 2u) - 1u));
// Behind them is room for a value of each lane, and for what teams need.
const SPARE_NODES = MAX_NODES;
const NODES = MAX_NODES + WORKGROUP_SIZE + TEAM_NODES;

// Whether the device's arithmetic may not be right for something.
var<workgroup> has_unsafe: atomic<u32>;

// All lanes come here, before a barrier.
fn unsafe_clear(lane_index: u32) {
    if CHECKS_RANGE & (lane_index == 0u) {
        atomicStore(&has_unsafe, 0u);
    }
}

// Whether the device has made the right total of nodes, which all lanes have. A barrier where that is in question.
fn totals_are_right(total: Acc, lane_index: u32) -> bool {
    if !CHECKS_TOTALS {
        return true;
    }
    if (lane_index == 0u) & !total_is_right(total) {
        atomicStore(&has_unsafe, 1u);
    }
    return workgroupUniformLoad(&has_unsafe) == 0u;
}

// One answer for all lanes. A barrier.
fn unsafe_load() -> bool {
    if CHECKS_RANGE {
        return workgroupUniformLoad(&has_unsafe) != 0u;
    }
    workgroupBarrier();
    return false;
}

// The end of a launch of an operator that has an order: its blocks' totals become the result, or the state that the next
// launch goes on from.

// What a launch has: as many partials as blocks, or, of a single block, its total.
@if(end) fn launch_end(
    job: Params,
    total: Acc,
    is_only_block: bool,
    workgroup: WorkgroupBuiltins,
    invocation: InvocationBuiltins,
) {
    let lane_index = lane_index_of(workgroup, invocation);
    let is_tree = (job.flags & FLAG_IS_TREE) != 0u;
    var result = total_of(total);
    if !(is_tree & is_only_block) {
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
        let is_unsafe = unsafe_load();
        // A single partial is the total of all, and its block has left no runs. A tree of an only block does not come here: compilers that see it leave
        // `nodes_reduce` out of the first pass.
        var is_done = is_tree & !is_only_block & (!is_unsafe | (job.blocks == 1u));
        if is_done {
            let reduced = nodes_reduce(job.blocks, workgroup, invocation);
            result = total_of(reduced);
            // Lazy: this has a barrier, and marks what is wrong.
            is_done = job.blocks == 1u || totals_are_right(reduced, lane_index);
        }
        if !is_done {
            result = partials_combine(job, is_only_block, lane_index);
        }
    }
    if ((job.flags & FLAG_ENDS) != 0u) & (lane_index == 0u) {
        result_store(job.result_index, result, vec2<u32>(job.len_low, job.len_high), job.flags);
    }
}

// Partials become nodes, and the runs come back that the last block has left.
@if(end) fn partials_take(job: Params, lane_index: u32) {
    var range = range_start();
    for (var i = lane_index; i < job.blocks; i += WORKGROUP_SIZE) {
        let partial = scratch_load(job.partials + i);
        range = range_include_acc(range, partial);
        nodes[job.first_node + i] = partial;
    }
    // The launch ends within its last block, which has no total then.
    if (lane_index < job.log2_block_items) & (((job.end >> lane_index) & 1u) == 1u) {
        runs_after[lane_index] = scratch_load(job.state_after + lane_index);
    }
    if CHECKS_RANGE & !range_is_safe(range) {
        atomicStore(&has_unsafe, 1u);
    }
}

// Nodes and runs to the state after the launch; and in lane 0 the result of all.
@if(end) fn partials_combine(job: Params, is_only_block: bool, lane_index: u32) -> Total {
    let end = job.first_node + (job.end >> job.log2_block_items);
    if !is_only_block {
        let span = Span(job.first_node, end);
        nodes_combine(0u, 0u, job.log2_span, job.log2_block_items, span, lane_index);
    }
    workgroupBarrier();
    var total = total_of(op_identity());
    if lane_index == 0u {
        total = runs_combine(job, (end >> job.log2_span) != 0u);
    }
    workgroupBarrier();
    if ((job.flags & FLAG_ENDS) == 0u) & (lane_index < LEVELS) {
        scratch_store(job.state_after + lane_index, runs_after[lane_index]);
    }
    return total;
}

// First, upwards: the span that the launch's blocks are in, if it `is_done`, goes on among the runs above it. Then, downwards:
// the runs of the whole sequence become the result, longest first. In one loop, because a combination of any values is long.
@if(end) fn runs_combine(job: Params, is_done: bool) -> Total {
    let level = job.log2_block_items + job.log2_span;
    let resumes = (job.flags & FLAG_RESUMES) != 0u;
    // The sequence has no run above the level of its longest one.
    let levels = select(32u - countLeadingZeros(job.len_low), 64u - countLeadingZeros(job.len_high), job.len_high != 0u);
    let up_steps = select(select(0u, 1u, is_done), max(levels, level) - level, resumes);
    let high = select(0u, job.len_high, (job.flags & FLAG_ENDS) != 0u);
    let low = select(0u, job.len_low, (job.flags & FLAG_ENDS) != 0u);
    let steps = up_steps + countOneBits(high) + countOneBits(low);
    var bits_high = high;
    var bits_low = low;
    var total = total_of(nodes[0]);
    var rises = is_done;
    var is_first = true;
    for (var i = 0u; i < steps; i++) {
        var at = level + i;
        var combines = false;
        if i < up_steps {
            if resumes {
                runs_after[at] = runs_before[at];
            }
            combines = rises & (((job.span >> i) & 1u) == 1u);
            if rises & !combines {
                runs_after[at] = total_run(total);
                rises = false;
            }
        } else {
            if bits_high != 0u {
                at = firstLeadingBit(bits_high);
                bits_high ^= 1u << at;
                at += 32u;
            } else {
                at = firstLeadingBit(bits_low);
                bits_low ^= 1u << at;
            }
            combines = !is_first;
            if is_first {
                total = total_of(runs_after[at]);
                is_first = false;
            }
        }
        if combines {
            total = total_join(total, runs_after[at], i < up_steps);
        }
    }
    if is_first {
        return total_of(op_identity());
    }
    return total;
}
