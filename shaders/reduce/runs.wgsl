// Runs: the state of a sequence whose elements combine pairwise.
//
// A run of level k and index i has the 2^k elements from i * 2^k on. Two neighbours with an even and an odd index are
// siblings, and combine to a run of the next level: nothing else does. Of the n elements before a place there are the runs
// that n falls into, one for each of its bits: bit k stands for the run of level k and index (n >> k) - 1. They are
// folded, longest first, where the sequence ends; they wait in memory where a launch ends; and the next launch takes
// each up where its sibling is.

// Levels of a sequence of 2^40 elements, and one more.
const LEVELS = 41u;

// The runs before the launch, and those after it.
var<workgroup> runs_before: array<Acc, LEVELS>;
var<workgroup> runs_after: array<Acc, LEVELS>;

// All lanes come here, before a barrier.
fn runs_clear(job: Params, lane_index: u32) {
    if lane_index < LEVELS && (job.flags & FLAG_RESUMES) != 0u {
        runs_before[lane_index] = scratch_load(job.state_before + lane_index);
    }
}

// The part of a level that a launch has: from index `begin` to index `end`.
struct Span {
    begin: u32,
    end: u32,
}

fn span_up(span: Span, level: u32) -> Span {
    return Span(span.begin >> level, span.end >> level);
}

// A run on its way up: what the launch before has of it stands in for it, and the last of a level that finds no sibling is
// kept.
fn run_at(level: u32, index: u32, value: Acc, span: Span) -> Acc {
    var run = value;
    if (span.begin & 1u) == 1u && index + 1u == span.begin {
        run = runs_before[level];
    }
    if (span.end & 1u) == 1u && index + 1u == span.end {
        runs_after[level] = run;
    }
    return run;
}

// Combines the siblings `index` and `index + 1`.
fn siblings_combine(level: u32, index: u32, left: Acc, right: Acc, span: Span) -> Acc {
    return op_combine_any(
        run_at(level, index, left, span),
        run_at(level, index + 1u, right, span),
    );
}

// A lane's runs, of one level.
const LANE_RUNS = 16u;
var<private> lane_runs: array<Acc, LANE_RUNS>;

// Combines a lane's 2^levels runs, from index `first` on.
fn lane_runs_reduce(levels: u32, level: u32, first: u32, span: Span) -> Acc {
    for (var up = 0u; up < levels; up++) {
        let pairs = (1u << levels) >> (up + 1u);
        for (var i = 0u; i < pairs; i++) {
            lane_runs[i] = siblings_combine(
                level + up,
                (first >> up) + 2u * i,
                lane_runs[2u * i],
                lane_runs[2u * i + 1u],
                span_up(span, up),
            );
        }
    }
    return lane_runs[0];
}

// Combines 2^log2_count nodes from `first_node` on, which begin at an index that is a multiple of their number, up to
// `levels` levels. Run i of the last level is left at first_node + (i << levels). It has barriers, also at its end.
fn nodes_reduce_runs(
    first_node: u32,
    log2_count: u32,
    levels: u32,
    level: u32,
    span: Span,
    lane_index: u32,
) {
    for (var up = 0u; up < levels; up++) {
        workgroupBarrier();
        let pairs = (1u << log2_count) >> (up + 1u);
        for (var i = lane_index; i < pairs; i += WORKGROUP_SIZE) {
            let left = first_node + (i << (up + 1u));
            nodes[left] = siblings_combine(
                level + up,
                2u * i,
                nodes[left],
                nodes[left + (1u << up)],
                span_up(span, up),
            );
        }
    }
    workgroupBarrier();
}

// Leaves the runs of the last block to the workgroup that ends the launch, if the launch ends within that block.
fn runs_leave(job: Params, lane_index: u32) {
    if lane_index < job.log2_block_items && ((job.end >> lane_index) & 1u) == 1u {
        scratch_store(job.state_after + lane_index, runs_after[lane_index]);
    }
}
