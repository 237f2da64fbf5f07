// Operators that have an order: pairwise, as docs/float-sums.md says.

// The teams' totals of a block, and the blocks' of a launch: as many as fit 4 or 8 KiB, so that all of a kernel's memory fits
// what every device has.
const MAX_NODES = 2048u / max(ACC_WORDS, 2u);
const NODES = MAX_NODES + EXTRA_NODES;

// Whether the device's arithmetic may not be right for something.
var<workgroup> has_unsafe: atomic<u32>;

// All lanes come here, before a barrier.
fn unsafe_clear(lane_index: u32) {
    if CHECKS_RANGE && lane_index == 0u {
        atomicStore(&has_unsafe, 0u);
    }
}

// One answer for all lanes. A barrier.
fn unsafe_load() -> bool {
    if CHECKS_RANGE {
        return workgroupUniformLoad(&has_unsafe) != 0u;
    }
    workgroupBarrier();
    return false;
}

// Notes whether the runs are safe that a launch takes up at `place`, counted in runs of a level.
fn runs_check(job: Params, place: u32, level: u32, levels: u32, lane_index: u32) {
    let is_taken = lane_index < levels && ((place >> lane_index) & 1u) == 1u;
    if CHECKS_RANGE && is_taken && (job.flags & FLAG_RESUMES) != 0u {
        if !range_is_safe(range_include_acc(range_start(), runs_before[level + lane_index])) {
            atomicStore(&has_unsafe, 1u);
        }
    }
}
