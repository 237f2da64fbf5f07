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
    if ((job.flags & FLAG_RESUMES) != 0u) & (lane_index < LEVELS) {
        runs_before[lane_index] = scratch_load(job.state_before + lane_index);
    }
}

// Where a launch begins and ends among the runs of a level.
struct Span {
    begin: u32,
    end: u32,
}

fn span_up(span: Span, level: u32) -> Span {
    return Span(span.begin >> level, span.end >> level);
}

// The launch's part of the elements from a position on.
fn span_from(job: Params, at: u32, count: u32) -> Span {
    return Span(min(max(job.begin, at) - at, count), min(max(job.end, at) - at, count));
}

// Where among runs of a level the last one of a higher level before `place` begins.
fn run_before(place: u32, up: u32) -> u32 {
    return ((place >> up) - 1u) << up;
}

// Combines siblings among nodes, which are runs of a level, 2^log2_stride nodes apart from node `first` on: `levels` times,
// but none that the launch does not have as a whole. The runs before it stand in for what it has not. A run of a higher level
// is left where its first node was. It has barriers, also at its begin and its end.
fn nodes_combine(
    first: u32,
    log2_stride: u32,
    levels: u32,
    level: u32,
    span: Span,
    lane_index: u32,
) {
    workgroupBarrier();
    if (lane_index < levels) & (((span.begin >> lane_index) & 1u) == 1u) {
        let node = first + (run_before(span.begin, lane_index) << log2_stride);
        nodes[node] = runs_before[level + lane_index];
    }
    // No two whole runs are siblings above.
    let last = min(levels, firstLeadingBit(max(span.end, 1u)));
    for (var up = 0u; up < last; up++) {
        workgroupBarrier();
        let pairs = span.end >> (up + 1u);
        for (var i = lane_index; i < pairs; i += WORKGROUP_SIZE) {
            let end = (i + 1u) << (up + 1u);
            if span.begin < end {
                let left = first + (i << (up + 1u + log2_stride));
                let right = left + (1u << (up + log2_stride));
                nodes[left] = op_combine_any(nodes[left], nodes[right]);
            }
        }
    }
    workgroupBarrier();
    if (lane_index < levels) & (((span.end >> lane_index) & 1u) == 1u) {
        let node = first + (run_before(span.end, lane_index) << log2_stride);
        runs_after[level + lane_index] = nodes[node];
    }
}

// Leaves the runs of the last block to the workgroup that ends the launch, if the launch ends within that block.
fn runs_leave(job: Params, lane_index: u32) {
    if (lane_index < job.log2_block_items) & (((job.end >> lane_index) & 1u) == 1u) {
        scratch_store(job.state_after + lane_index, runs_after[lane_index]);
    }
}
