// Operators that have an order: pairwise, as docs/float-sums.md says.

// The teams' totals of a block, and the blocks' of a launch: a power of two, in at most 8 KiB, so that all of a kernel's
// memory fits what every device has, and enough workgroups run side by side.
const MAX_NODES = 2048u >> (32u - countLeadingZeros(max(ACC_WORDS, 2u) - 1u));
// Behind them is room for a value of each lane, and for the totals of 4, 16 and 64 lanes.
const ROUND_NODES = WORKGROUP_SIZE + WORKGROUP_SIZE / 4u + WORKGROUP_SIZE / 16u + WORKGROUP_SIZE / 64u;
const NODES = MAX_NODES + ROUND_NODES;

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
