// Operators that have an order: pairwise, as docs/float-sums.md says.

// The teams' totals of a block, and the blocks' of a launch: as many as fit 4 or 8 KiB, so that all of a kernel's memory fits
// what every device has.
const MAX_NODES = 2048u / max(ACC_WORDS, 2u);
// Behind them is room for a value of each lane, and for the totals of 4, 16 and 64 lanes.
const ROUND_NODES = WORKGROUP_SIZE + WORKGROUP_SIZE / 4u + WORKGROUP_SIZE / 16u + WORKGROUP_SIZE / 64u;
// Rows of a round that combine at once where each addition is looked at: all of them, if there is memory for that.
const ROWS_AT_ONCE = select(1u, 4u, ACC_WORDS == 1u);
const NODES = MAX_NODES + max(ROUND_NODES, ROWS_AT_ONCE * WORKGROUP_SIZE);

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
